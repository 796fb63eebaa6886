import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Lines of n8n's event log, without those that only confirm that another was sent. */
export async function eventsOf(home: string): Promise<unknown[]> {
  const folder = join(home, '.n8n')
  const files = (await readdir(folder)).filter((name) => /^n8nEventLog.*\.log$/.test(name)).sort().reverse()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('').split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter(({ __type }) => __type !== '$$EventMessageConfirm')
}
