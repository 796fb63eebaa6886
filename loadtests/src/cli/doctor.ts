import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Command } from 'commander'
import { z } from 'zod'
import { exitCodes, LabError, type ExitCode } from '../lib/errors.ts'
import { figure, memory } from '../lib/figures.ts'
import { tool, typed } from '../lib/paths.ts'
import { freePorts } from '../lib/ports.ts'
import { onPath } from '../lib/programs.ts'
import { lookForQuiet, thisMachine } from '../run/quiet-machine.ts'
import { contextHere, findProgram, limitsHere, runtimeHere } from '../targets/means.ts'
import { jsonOption, printJson } from './json.ts'

export const DoctorFinding = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'short', 'missing']).describe('Short makes figures worse, missing makes something impossible.'),
  found: z.string(),
  fix: z.string().nullable().describe('What to do about it.'),
})
export type DoctorFinding = z.infer<typeof DoctorFinding>

const Way = z
  .strictObject({ name: z.string(), command: z.string(), possible: z.boolean(), lacks: z.array(z.string()) })
  .describe('A way to run a check, and what it lacks here.')
type Way = z.infer<typeof Way>

export const DoctorAnswer = z
  .strictObject({ findings: z.array(DoctorFinding), ways: z.array(Way) })
  .describe('What this machine can measure, and what is missing.')
type DoctorAnswer = z.infer<typeof DoctorAnswer>

/** The slowest question that is asked of another program. All are asked at once. */
const patience = 1500

export function addDoctor(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('doctor')
    .summary('what this machine can measure, and what is missing')
    .description(
      'Looks at cores, limits, load, disk and programs, and asks the cluster of the current context what it allows. It '
        + 'starts and changes nothing. Exit code 0 where a check can run, else 2.',
    )
    .option(...jsonOption)
    .addHelpText('after', '\nExample:\n  n8n-tuned doctor')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine()
      const ways = waysFrom(findings)
      if (json) printJson({ findings, ways } satisfies DoctorAnswer)
      else process.stdout.write(doctorInWords(findings, ways))
      end(ways.some(({ possible }) => possible) ? exitCodes.met : exitCodes.usage)
    })
}

async function examine(): Promise<DoctorFinding[]> {
  return Promise.all([
    cores(),
    limits(),
    quiet(),
    room(),
    ports(),
    one('k6', () => tool('k6')),
    one('helm', () => tool('helm')),
    n8n(),
    one('redis-server', () => findProgram('redis-server', 'queue mode')),
    one('postgresql', () => findProgram('initdb', 'queue mode')),
    one('containers', () => runtimeHere(patience)),
    cluster(),
  ])
}

const ok = (name: string, found: string): DoctorFinding => ({ name, state: 'ok', found, fix: null })

/** A part that throws the error of a run without it. */
async function one(name: string, find: () => string | Promise<string>): Promise<DoctorFinding> {
  try {
    return ok(name, await find())
  } catch (error) {
    if (!(error instanceof LabError)) throw error
    return { name, state: 'missing', found: error.message, fix: error.hint ?? null }
  }
}

function cores(): DoctorFinding {
  const count = availableParallelism()
  const found = `${count}, and ${memory(totalmem())} of memory`
  if (count > 1) return ok('cores', `${found}: one for the load, the others for n8n`)
  const fix = 'The load shares the core with n8n, so capacity is understated. Two cores or more are better.'
  return { name: 'cores', state: 'short', found, fix }
}

async function limits(): Promise<DoctorFinding> {
  if (process.platform !== 'linux')
    return {
      name: 'limits',
      state: 'missing',
      found: `not enforced: this is ${process.platform}, and n8n starts here on Linux only`,
      fix: 'Measure a cluster or an n8n that runs, or use a Linux VM.',
    }
  const { kind, enforced } = await limitsHere()
  if (enforced) return ok('limits', `enforced by ${kind}`)
  return {
    name: 'limits',
    state: 'short',
    found: 'not enforced: a run here recommends no values',
    fix: 'Run as root, or as a user of systemd who may make scopes, or in containers: --engine container',
  }
}

async function quiet(): Promise<DoctorFinding> {
  const machine = thisMachine()
  const stillness = await lookForQuiet(machine)
  if (!stillness) return ok('quiet', 'not known: this system does not say what its cores do')
  const found = `${figure(stillness.busy)} of ${machine.cores} cores busy`
  if (stillness.quiet) return ok('quiet', found)
  return { name: 'quiet', state: 'short', found, fix: 'Figures will be too low: wait, or end what else runs.' }
}

const cache = () =>
  process.env.N8N_TUNED_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-tuned')

/** An n8n and its packages. */
const n8nTakes = 3 * 2 ** 30
/** What n8n stores during a run. */
const runTakes = 2 ** 30

function room(): DoctorFinding {
  // A folder that a run would make is on the disk of the first one above it that is there.
  const free = (folder: string): number => {
    if (!existsSync(folder)) return free(dirname(folder))
    const { bsize, bavail } = statfsSync(folder)
    return bsize * bavail
  }
  const [here, there] = [free(tmpdir()), free(cache())]
  const found = `${memory(here)} free in ${tmpdir()}, ${memory(there)} in ${cache()}`
  if (here >= runTakes && there >= (installed().length ? 0 : n8nTakes)) return ok('disk', found)
  return {
    name: 'disk',
    state: 'missing',
    found,
    fix: `A run takes ${memory(runTakes)} (TMPDIR names its disk), an n8n ${memory(n8nTakes)} (N8N_TUNED_CACHE).`,
  }
}

async function ports(): Promise<DoctorFinding> {
  await freePorts(10)
  return ok('ports', 'free on loopback')
}

function installed(): string[] {
  const folder = join(cache(), 'n8n')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'complete')))
    .map((name) => name.split('-')[0]!)
}

function n8n(): DoctorFinding {
  const there = [...new Set(installed())]
  if (there.length) return ok('n8n', `installed: ${there.join(', ')}; others are installed when a run needs them`)
  const fix = (name: string) => `apt-get install ${name}, or the like`
  if (!onPath('npm').length)
    return { name: 'n8n', state: 'missing', found: 'not installed, and to install it there is no npm', fix: fix('npm') }
  const lacking = ['make', 'c++', 'python3'].filter((name) => onPath(name).length === 0)
  if (!lacking.length) return ok('n8n', 'not installed; the first run installs it in several minutes')
  return {
    name: 'n8n',
    state: 'short',
    found: `not installed; without ${lacking.join(', ')} its SQLite comes compiled, from GitHub alone`,
    fix: `Where GitHub is out of reach: ${fix('build-essential python3')}`,
  }
}

async function cluster(): Promise<DoctorFinding> {
  const named = await one('cluster', contextHere)
  if (named.state !== 'ok') return named
  const asked = await execa(
    'kubectl',
    ['--context', named.found, '--request-timeout=1s', 'auth', 'can-i', 'create', 'namespaces'],
    { reject: false, timeout: patience },
  )
  if (asked.stdout.trim() === 'yes') return ok('cluster', `${named.found} lets the lab make namespaces`)
  const answered = asked.stdout.trim() === 'no'
  return {
    name: 'cluster',
    state: 'missing',
    found: `${named.found} ${answered ? 'does not let the lab make namespaces' : 'does not answer'}`,
    fix: answered
      ? `An administrator grants what the lab needs: ${typed.lab} list --rbac --namespace n8n-lab | kubectl apply -f -`
      : 'Check the context: kubectl config get-contexts',
  }
}

/** What each way to run a check needs. */
const needs: { name: string; command: string; parts: string[] }[] = [
  {
    name: 'an n8n that already runs',
    command: 'check --target https://n8n.example.com --workflow exported.json',
    parts: ['k6', 'helm'],
  },
  {
    name: 'n8n on this machine',
    command: 'check --workflow exported.json',
    parts: ['local', 'k6', 'helm', 'n8n', 'disk'],
  },
  {
    name: 'queue mode on this machine',
    command: 'check --set executions.mode=queue --set database.type=embedded',
    parts: ['local', 'k6', 'helm', 'n8n', 'disk', 'redis-server', 'postgresql'],
  },
  { name: 'n8n in containers', command: 'check --engine container', parts: ['local', 'k6', 'helm', 'containers'] },
  { name: 'n8n on a cluster', command: 'check --target kubernetes', parts: ['helm', 'cluster'] },
]

export function waysFrom(findings: DoctorFinding[]): Way[] {
  const missing = new Set(findings.filter(({ state }) => state === 'missing').map(({ name }) => name))
  // Limits that are missing, and not only unenforced, are those of a platform on which n8n does not start here.
  if (missing.delete('limits')) missing.add('local')
  return needs.map(({ name, command, parts }) => {
    const lacks = parts.filter((part) => missing.has(part)).map((part) => (part === 'local' ? 'Linux' : part))
    return { name, command: `${typed.lab} ${command}`, possible: lacks.length === 0, lacks }
  })
}

const marks: Record<DoctorFinding['state'], string> = { ok: '✓', short: '!', missing: '✗' }

export function doctorInWords(findings: DoctorFinding[], ways: Way[]): string {
  const wide = (names: string[]) => Math.max(...names.map((name) => name.length))
  const left = wide(findings.map(({ name }) => name))
  const right = wide(ways.map(({ name }) => name))
  return [
    ...findings.flatMap(({ name, state, found, fix }) => [
      `${marks[state]} ${name.padEnd(left)}  ${found}`,
      ...(fix ? [`  ${' '.repeat(left)}  Fix: ${fix}`] : []),
    ]),
    '',
    'What can be measured from here:',
    ...ways.map(
      ({ name, command, possible, lacks }) =>
        `${possible ? '✓' : '✗'} ${name.padEnd(right)}  ${possible ? command : `needs ${lacks.join(', ')}`}`,
    ),
    '',
  ].join('\n')
}
