import { access, constants, glob } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { usage } from '../../lib/errors.ts'

/** What brings a program that is missing, and what does without it. */
const packages: Record<string, { debian: string; fedora: string; instead?: string }> = {
  'redis-server': { debian: 'redis-server', fedora: 'redis', instead: 'a plan in regular mode' },
  'redis-cli': { debian: 'redis-tools', fedora: 'redis' },
  nginx: { debian: 'nginx-light', fedora: 'nginx' },
  iptables: { debian: 'iptables', fedora: 'iptables-nft' },
  ip: { debian: 'iproute2', fedora: 'iproute' },
  initdb: { debian: 'postgresql', fedora: 'postgresql-server', instead: 'a plan with SQLite' },
}

/** How to install them. */
export function howToInstall(names: string[]): string {
  const of = (system: 'debian' | 'fedora') =>
    [...new Set(names.map((name) => packages[name]?.[system] ?? name))].join(' ')
  return `Debian and Ubuntu: apt-get install ${of('debian')}. Fedora: dnf install ${of('fedora')}.`
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
    name in packages ? `${howToInstall([name])}${instead(name)}` : `Install ${name}.`,
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

const instead = (name: string) => (packages[name]?.instead ? ` Or measure ${packages[name].instead}.` : '')
