import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Compared in their own way, or written by whoever is told to: the database, the event log, and npm's and V8's caches. */
const elsewhere = /^(database\.sqlite|n8nEventLog|\.cache|\.npm|crash\.journal)/

/** Path below n8n's user folder and what is in it. */
export async function filesOf(home: string): Promise<[string, string][]> {
  const folder = join(home, '.n8n')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const wanted = files.filter((file) => !elsewhere.test(relative(folder, file)))
  return Promise.all(
    wanted.map(async (file): Promise<[string, string]> => [
      relative(folder, file),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ]),
  )
}
