import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Compared in their own way, or caches: the database, the event log, and what npm and V8 keep. */
const elsewhere = /^(database\.sqlite|n8nEventLog|\.cache|\.npm|crash\.journal)/

/** Path below n8n's user folder and what is in it: JSON as it is, all else by its hash. */
export async function filesOf(home: string): Promise<[string, unknown][]> {
  const folder = join(home, '.n8n')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const wanted = files.filter((file) => !elsewhere.test(relative(folder, file)))
  return Promise.all(
    wanted.map(async (file): Promise<[string, unknown]> => [relative(folder, file), contentOf(await readFile(file))]),
  )
}

function contentOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return createHash('sha256').update(bytes).digest('hex')
  }
}
