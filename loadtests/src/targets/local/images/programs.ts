import { access, constants, glob } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { localErrors } from '../errors.ts'

/** Where distributions put servers that are not on PATH. */
const usual = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/opt/homebrew/bin',
]

/** Finds a program: first on PATH, then in the usual folders, the newest version first. */
export async function findProgram(
  name: string,
  what: string,
  path = process.env.PATH ?? '',
  folders = usual,
): Promise<string> {
  const others = (await Promise.all(folders.map(expand))).flat()
  for (const folder of [...path.split(delimiter).filter(Boolean), ...others]) {
    const file = join(folder, name)
    if (await runs(file)) return file
  }
  throw localErrors.missingServer(name, what)
}

async function expand(pattern: string): Promise<string[]> {
  const found: string[] = []
  for await (const folder of glob(pattern)) found.push(folder)
  return found.sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
}

const runs = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
