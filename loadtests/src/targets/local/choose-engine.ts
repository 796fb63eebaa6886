import { n8nVersionOf } from '../../chart/isolate/images.ts'
import { LabError, usage } from '../../lib/errors.ts'
import { list } from '../../lib/figures.ts'
import { valueAt } from '../../lib/values.ts'
import type { EngineReason } from '../../model/environment.ts'
import type { Values } from '../../model/experiment.ts'
import { refusalOfN8n } from '../../n8n/install.ts'
import { findRuntime, type Runtime } from './containers/runtime.ts'
import { findProgram, howToInstall } from './programs.ts'

/** How a plan's containers run on this machine. */
export type EngineName = 'process' | 'container'

/** What this machine has to have to run plans as processes. */
export interface EngineNeeds {
  /** Of n8n, from npm. */
  versions: string[]
  /** Servers and their clients, with what they are for. */
  programs: Map<string, string>
  /** Something that runs as a process alone; null if all of it runs in containers too. */
  processOnly: string | null
}

export interface ChosenEngine {
  /** Null: processes. */
  runtime: Runtime | null
  reason: EngineReason
}

/** Whom the choice asks about this machine. */
export interface EngineQuestions {
  /** The refusal of a program that is missing; null if it is there. */
  program(name: string, what: string): Promise<LabError | null>
  /** Why npm does not have it; null if it does. */
  n8n(version: string): Promise<string | null>
  /** Throws a refusal. */
  runtime(): Promise<Runtime>
}

const ofThisMachine: EngineQuestions = {
  program: (name, what) => findProgram(name, what).then(() => null, refusalIn),
  n8n: (version) => refusalOfN8n(version, (line) => void process.stderr.write(`${line}\n`)),
  runtime: () => findRuntime(),
}

/** Of each configuration's values: those of the chart hold where they say nothing. `chartVersion` is its n8n. */
export function engineNeeds(all: Values[], chartVersion: string): EngineNeeds {
  const programs = new Map<string, string>()
  for (const values of all) {
    if (valueAt(values, 'executions.mode') === 'queue')
      for (const name of ['redis-server', 'redis-cli']) programs.set(name, 'queue mode')
    if (!['sqlite', undefined].includes(valueAt(values, 'database.type') as string))
      programs.set('initdb', 'PostgreSQL')
  }
  return {
    // A tag that moves is the chart's to refuse.
    versions: [...new Set(all.map((values) => n8nVersionOf(values) || chartVersion))].filter(isExact),
    programs,
    processOnly: all.some((values) => valueAt(values, 'runner.mode') === 'external') ? 'external task runners' : null,
  }
}

const isExact = (version: string) => /^\d+\.\d+\.\d+$/.test(version)

/**
 * Chooses before anything is installed. What this machine does not have is looked for first: asking npm may take as
 * long as resolving an n8n.
 */
export async function chooseEngine(
  asked: EngineName | undefined,
  { versions, programs, processOnly }: EngineNeeds,
  questions: EngineQuestions = ofThisMachine,
): Promise<ChosenEngine> {
  if (process.platform !== 'linux')
    throw usage(
      'linux-only',
      `Expected Linux to start n8n on this machine, got ${process.platform}.`,
      'Measure on a cluster (--target kubernetes) or an n8n that already runs (--target URL), or use a Linux VM.',
    )
  if (asked === 'container')
    return { runtime: await questions.runtime(), reason: { code: 'asked', names: ['--engine container'] } }
  const missing: [string, LabError][] = []
  for (const [name, what] of programs) {
    const refusal = await questions.program(name, what)
    if (refusal) missing.push([name, refusal])
  }
  if (asked === 'process' || processOnly) {
    if (missing[0]) throw missing[0][1]
    return { runtime: null, reason: { code: 'asked', names: [processOnly ?? '--engine process'] } }
  }
  const lacking = missing.map(([name]) => name)
  const refused = lacking.length ? null : await firstRefused(versions, questions)
  if (!lacking.length && !refused) return { runtime: null, reason: { code: 'has-all', names: versions } }
  const runtime = await questions.runtime().catch(refusalIn)
  if (!(runtime instanceof LabError))
    return {
      runtime,
      reason: refused ? { code: 'not-in-npm', names: [refused.version] } : { code: 'lacks-programs', names: lacking },
    }
  throw refused ? noImages(refused.version, refused.why) : noPrograms(lacking)
}

async function firstRefused(versions: string[], { n8n }: EngineQuestions) {
  for (const version of versions) {
    const why = await n8n(version)
    if (why !== null) return { version, why }
  }
  return null
}

function refusalIn(error: unknown): LabError {
  if (error instanceof LabError) return error
  throw error
}

const otherWays =
  'For containers: install Podman (apt-get install podman), or start Docker. Or measure in a cluster: '
  + '--target kubernetes.'

const noPrograms = (lacking: string[]) =>
  usage(
    'no-engine',
    `Expected ${list(lacking)} on this machine for n8n as processes, or Docker or Podman for containers, got neither.`,
    `For processes: ${howToInstall(lacking)} ${otherWays}`,
  )

/** `why`: in npm's words, after what was expected of it. */
const noImages = (version: string, why: string) =>
  usage(
    'no-engine',
    `Expected n8n ${version} from npm for processes, or Docker or Podman for containers, got neither: `
      + why.slice(why.lastIndexOf(': ') + 2),
    `For processes: set image.tag to a release that npm has. ${otherWays}`,
  )
