import { execFileSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { usage } from './errors.ts'

interface Program {
  ask: string[]
  /** What it says of its version, if that serves. */
  serves: RegExp
  wanted: string
  /** How to get it. */
  get: string
}

/** As tools/install has them for a clone. */
export const programs: Record<'k6' | 'helm', Program> = {
  k6: {
    ask: ['version'],
    // It calls itself by the name of its file, such as k6-1.8.1.
    serves: /^k6\S* v[1-9]\d*\./,
    wanted: 'k6 1 or later',
    get: 'Unpack k6 for this machine into a folder of PATH: https://github.com/grafana/k6/releases',
  },
  helm: {
    ask: ['version', '--short'],
    serves: /^v(3\.(1[6-9]|[2-9]\d)|[4-9])\./,
    wanted: 'Helm 3.16 or later',
    get: 'Install Helm: https://helm.sh/docs/intro/install',
  },
}

const found = new Map<string, string>()

/** The first one on PATH that serves. */
export function programOnPath(name: 'k6' | 'helm'): string {
  const known = found.get(name)
  if (known) return known
  const { wanted, get } = programs[name]
  const others: string[] = []
  for (const path of onPath(name)) {
    const version = versionOf(name, path)
    if (programs[name].serves.test(version)) {
      found.set(name, path)
      return path
    }
    others.push(`${path} (${version.split('\n')[0] || 'it does not say its version'})`)
  }
  throw usage('missing-tool', `Expected ${wanted} on PATH, found ${others.join(' and ') || 'none'}.`, get)
}

/** The first line of what a program says of its version; empty where it does not run. */
export function versionOf(name: 'k6' | 'helm', path: string): string {
  try {
    return execFileSync(path, programs[name].ask, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

export const onPath = (name: string, path = process.env.PATH ?? ''): string[] =>
  path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter(isProgram)

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
