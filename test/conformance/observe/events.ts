import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface LogLine {
  __type: string
  eventName?: string
  payload?: Record<string, unknown>
}

/**
 * Lines of n8n's event log, without those that only confirm that another was sent, and without who joined and left a
 * cluster: n8n looks for that now and then.
 */
export async function eventsOf(home: string): Promise<LogLine[]> {
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
    .map(lineOf)
    .filter((line) => line !== undefined)
    .filter(
      ({ __type, eventName }) => __type !== '$$EventMessageConfirm' && !eventName?.startsWith('n8n.audit.cluster.'),
    )
}

/** Nothing for one that is half written, as the last before a kill may be. */
function lineOf(line: string): LogLine | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
