import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Lines of n8n's event log, without those that only confirm that another was sent, and without who joined and left a
 * cluster: n8n looks for that now and then.
 */
export async function eventsOf(home: string): Promise<unknown[]> {
  const folder = join(home, '.n8n')
  const files = (await readdir(folder))
    .filter((name) => /^n8nEventLog.*\.log$/.test(name))
    .sort()
    .reverse()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(
      ({ __type, eventName }) => __type !== '$$EventMessageConfirm' && !eventName?.startsWith('n8n.audit.cluster.'),
    )
}
