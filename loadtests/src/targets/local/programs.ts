import { access, constants, glob } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { usage } from '../../lib/errors.ts'

/** How to install a program that is missing. */
const installs: Record<string, string> = {
  'redis-server':
    'Debian and Ubuntu: apt-get install redis-server. Fedora: dnf install redis. Or measure a plan in regular mode.',
  'redis-cli': 'Debian and Ubuntu: apt-get install redis-tools. Fedora: dnf install redis.',
  nginx: 'Debian and Ubuntu: apt-get install nginx-light. Fedora: dnf install nginx.',
  iptables: 'Debian and Ubuntu: apt-get install iptables. Fedora: dnf install iptables-nft.',
  ip: 'Debian and Ubuntu: apt-get install iproute2. Fedora: dnf install iproute.',
  initdb:
    'Debian and Ubuntu: apt-get install postgresql. Fedora: dnf install postgresql-server. Or measure a plan '
    + 'with SQLite.',
}

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
  throw usage(
    'missing-server',
    `Expected ${name} on this machine for ${what}, found none on PATH or in the usual folders.`,
    installs[name] ?? `Install ${name}.`,
  )
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
