import { faultNames, meantFault, parseFault } from '../fault/faults.ts'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { yamlValue } from '../lib/yaml.ts'
import { badProfile, readYaml, yamlIn } from '../model/yaml-file.ts'
import { rememberCredentials, rememberRequests } from '../secret/given.ts'
import { rememberValues } from '../secret/known.ts'
import { mergeValues } from '../lib/values.ts'
import { nearest } from '../lib/nearest.ts'
import { paths, typed } from '../lib/paths.ts'
import { chooseEngine, engineNeeds, type ChosenEngine } from '../targets/means.ts'
import { combinations } from '../run/cells.ts'
import { n8nVersionOf } from '../chart/isolate/images.ts'
import { installN8n, refusalOfN8n } from '../n8n/install.ts'
import type { OutsideOrder } from '../model/outside.ts'
import { readCredentials, type Credential } from '../n8n/credentials.ts'
import { readDataTables } from '../n8n/read-data-tables.ts'
import { readApart, type GivenApart } from '../workload/apart.ts'
import { byClock, haveOwn, mayCallServices, readExecution, withScheduled, type Workflow } from '../workload/open.ts'
import { arriving, asMix, quicker, toOthers } from './load.ts'
import type { CommonOptions } from './options.ts'
import { outsideOf, outsideWarnings } from './outside.ts'
import { weightsOf, type Load } from '../model/load.ts'
import type { Experiment, Slo, Values } from '../model/experiment.ts'
import type { Schedules } from '../model/schedules.ts'
import { loadProfile, type Profile } from '../model/profile.ts'
import { LabError, locationText, usage, type Location } from '../lib/errors.ts'

export interface Prepared {
  profile: Profile
  experiment: Experiment
  workflows: Workflow[]
  /** Credentials that the workflows need for other services. */
  credentials: Credential[]
  /** What n8n runs as on this machine; null elsewhere. */
  engine: ChosenEngine | null
  /** The mock for the services that they call; null if they call the real ones. */
  outside: OutsideOrder | null
  /** Some workflow may call services of others: one of the user's own, or a bundled one that does. */
  callServices: boolean
  /** The values from --set and --values, kept apart from those of the profile. */
  given: { set: Values; values: Values }
  /** Where a value of a variant was given; null if nowhere. Later sources override earlier ones. */
  locate: (path: string[], variant: string) => Location | null
}

/** Names that a profile has, and the lab does not know. */
function refuseUnknownFaults({ experiment: { faults = [] }, locate }: Profile): void {
  const index = faults.findIndex((text) => parseFault(text) === undefined)
  if (index === -1) return
  const given = faults[index]!
  const meant = meantFault(given)
  const known = `one of ${faultNames.join(', ')}, or one that lasts with its seconds: redis-frozen=45s`
  throw badProfile(
    locate(['faults', index]),
    [`faults.${index}: Expected ${meant === undefined ? known : 'the name of a fault'}, got ${JSON.stringify(given)}.`],
    meant === undefined
      ? `Correct faults.${index}; docs/profiles.md lists every key.`
      : `Did you mean ${meant}? docs/resilience.md has every fault.`,
  )
}

type Narrow = (experiment: Experiment) => Experiment | Promise<Experiment>

/**
 * The profile with the options of the command line, all checked before anything starts. `narrow`: the verb's own choice
 * of what is measured.
 */
export async function prepare(options: CommonOptions, narrow: Narrow = (all) => all): Promise<Prepared> {
  const profile = await loadProfile(await profileFile(options.profile))
  refuseUnknownFaults(profile)
  const values = mergeValues(...(await Promise.all(options.values.map(readValuesFile))))
  const { set } = options
  const { base, variants, history, editors, ...rest } = profile.experiment
  const inUse = { history: options.history ?? history, editors: options.editors ?? editors }
  const asked = options.target instanceof URL ? toOthers(rest.load) : rest.load
  const experiment = await narrow({
    ...rest,
    base: mergeValues(base, values),
    variants: variants.map((variant) => ({ name: variant.name, values: mergeValues(variant.values, set) })),
    load: arriving(asMix(options.quick ? quicker(asked) : asked, options.mix), options.arrivals),
    slo: { ...rest.slo, ...options.slo },
    repeat: options.repeat ?? rest.repeat,
    ...(inUse.history && { history: inUse.history }),
    ...(inUse.editors && { editors: inUse.editors }),
    workflows: options.workflow.length ? options.workflow : rest.workflows,
  })
  const credentials = options.credentials === undefined ? [] : await readCredentials(options.credentials)
  const dataTables = options.dataTables === undefined ? [] : await readDataTables(options.dataTables)
  const execution =
    options.execution === undefined
      ? undefined
      : { executed: await readExecution(options.execution), file: options.execution }
  for (const given of [experiment.base, ...experiment.variants.map((variant) => variant.values), experiment.matrix])
    rememberValues(given)
  rememberCredentials(credentials)
  const call = await mayCallServices(experiment.workflows)
  const outside = await outsideOf(profile.outside, call, options)
  const engine = options.target === 'local' ? await engineHere(experiment, options) : null
  // Made credentials must never reach a real service.
  const isClosed = outside && outside.record === null && outside.allow.length === 0
  const n8n = call && isClosed ? await n8nOfRun(experiment, engine) : undefined
  const found = await workloadOf(experiment, profile, options, { credentials, dataTables, n8n, execution })
  const { workflows, scheduled, schedules } = await besideClock(found.flat(), options.copies ?? profile.copies)
  for (const { requests } of workflows) rememberRequests(requests)
  workflows[0]!.warnings.push(...outsideWarnings(outside, call, options))
  if (
    isClosed
    && n8n === undefined
    && (engine?.runtime || options.target === 'kubernetes')
    && (await haveOwn(experiment.workflows))
  )
    workflows[0]!.warnings.push(nothingMadeUp)
  refuseStrayWeights(experiment.load, workflows, profile)
  return {
    profile,
    experiment: {
      ...experiment,
      slo: sloOf(experiment, found),
      workflows: workflows.map(({ name }) => name),
      ...(schedules && { schedules }),
    },
    workflows,
    credentials: [...credentials, ...madeFor([...workflows, ...scheduled])],
    engine,
    outside:
      outside && n8n !== undefined
        ? { ...outside, hints: [...workflows, ...scheduled].flatMap(({ made }) => made?.hints ?? []) }
        : outside,
    callServices: call,
    given: { set, values },
    locate: (path, variant) => placeOf(path, variant, { profile, set, values }),
  }
}

/** Where copies of scheduled workflows are asked for, callers call the others, or a small one of the lab's. */
async function besideClock(
  all: Workflow[],
  copies = 0,
): Promise<{ workflows: Workflow[]; scheduled: Workflow[]; schedules?: Schedules }> {
  if (copies === 0) return { workflows: all, scheduled: [] }
  const { scheduled, called } = byClock(all)
  const callers = called.length ? called : await readApart(usualCaller, { file: '--copies', line: null }, {})
  return {
    workflows: callers.map((one) => withScheduled(one, scheduled, copies)),
    scheduled,
    schedules: { workflows: scheduled.map(({ name }) => name), copies },
  }
}

/** What callers call beside schedules, where nobody names another. */
const usualCaller = 'ping-webhook'

const nothingMadeUp =
  'Nothing was made up for what the export lacks: that n8n could not be installed on this machine, and it alone says '
  + 'what its nodes need.'

function placeOf(
  path: string[],
  variant: string,
  { profile, set, values }: { profile: Profile; set: Values; values: Values },
): Location | null {
  if (path.length === 0) return profile.locate([])
  if (profile.has(['matrix', path.join('.')])) return profile.locate(['matrix', path.join('.')])
  if (hasPath(set, path)) return { file: '--set', line: null }
  if (profile.has(['variants', variant, ...path])) return profile.locate(['variants', variant, ...path])
  if (hasPath(values, path)) return { file: '--values', line: null }
  return profile.has(['base', ...path]) ? profile.locate(['base', ...path]) : null
}

export function hasPath(values: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true
  return typeof values === 'object' && values !== null && key in values && hasPath((values as Values)[key], rest)
}

/** Credentials of the same type are the same for all workflows. */
const madeFor = (workflows: Workflow[]): Credential[] => [
  ...new Map(workflows.flatMap(({ made }) => made?.credentials ?? []).map((one) => [one.id, one])).values(),
]

/** Chosen in the first second, since what comes next may install for minutes. */
async function engineHere(experiment: Experiment, { engine, explain }: CommonOptions): Promise<ChosenEngine> {
  const needs = engineNeeds(
    combinations(experiment).map(({ values }) => values),
    await chartVersion(),
  )
  return chooseEngine(engine === 'auto' ? undefined : engine, {
    ...needs,
    processOnly: explain ? '--explain' : needs.processOnly,
  })
}

/** Where the n8n of the run is installed; undefined where it is not to be had, which is refused later. */
async function n8nOfRun(
  { base, variants, workflows }: Experiment,
  engine: ChosenEngine | null,
): Promise<string | undefined> {
  const values = mergeValues(base, variants[0]!.values)
  if (engine?.runtime === null) return n8nFor(values)
  // n8n runs from an image: it is installed here for an export alone, and the run goes on without it.
  if (!(await haveOwn(workflows))) return undefined
  try {
    const own = await n8nFor(values)
    // npm has none of the latest releases, whose nodes are most of them those of the chart's.
    return own === undefined && isLater(n8nVersionOf(values), await chartVersion()) ? await n8nFor({}) : own
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'runtime-unavailable') throw error
    return undefined
  }
}

const isLater = (version: string, other: string) => version.localeCompare(other, undefined, { numeric: true }) > 0

export async function n8nFor(values: Values): Promise<string | undefined> {
  const tag = n8nVersionOf(values) || (await chartVersion())
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`)
  if (await refusalOfN8n(tag, onProgress)) return undefined
  return installN8n({ repository: 'n8n', tag }, { signal: new AbortController().signal, onProgress })
}

/** The n8n that the chart runs unless values name another. */
async function chartVersion(): Promise<string> {
  const { appVersion } = yamlValue(await readFile(join(paths.chart, 'Chart.yaml'), 'utf8')) as { appVersion: string }
  return appVersion
}

/** A file may hold several workflows; an objective given for it is that of each. */
function sloOf({ slo: { workflows: given, ...slo }, workflows: names }: Experiment, found: Workflow[][]): Slo {
  const own = names.flatMap((name, index) =>
    given?.[name] ? found[index]!.map((workflow) => [workflow.name, given[name]!]) : [],
  )
  return { ...slo, ...(own.length && { workflows: Object.fromEntries(own) }) }
}

/** The workflows to load and their requests: from the command, or else from the profile. */
async function workloadOf(
  { workflows: names, base, variants, matrix }: Experiment,
  profile: Profile,
  { workflow, request, execution, target, strict }: CommonOptions,
  given: Pick<GivenApart, 'credentials' | 'dataTables' | 'n8n' | 'execution'>,
): Promise<Workflow[][]> {
  const own = workflow.length > 0
  const ofOne = request !== undefined ? '--request' : execution !== undefined ? '--execution' : null
  if (ofOne !== null && names.length > 1)
    throw usage(
      'one-request',
      `${ofOne}: Expected one workflow for it, got ${names.length}: ${names.join(', ')}.`,
      'Name one with --workflow, or give each its request in a profile (docs/workload.md).',
    )
  const found = await Promise.all(
    names.map((name, index) => {
      const location = own ? { file: '--workflow', line: null } : profile.locate(['workflows', index])
      return readApart(name, location, {
        request: request ?? (own ? undefined : profile.requests[index]),
        ...given,
        values: [base, variants, matrix],
        imported: !(target instanceof URL),
        spared: target === 'local',
        strict,
      })
    }),
  )
  const workflows = found.flat()
  const twice = workflows.find(({ name }, index) => workflows.findIndex((other) => other.name === name) !== index)
  if (twice) throw sameWorkflow(own ? { file: '--workflow', line: null } : profile.locate(['workflows']), twice.name)
  return found
}

function refuseStrayWeights(load: Load, workflows: Workflow[], { locate }: Profile): void {
  const names = workflows.map(({ name }) => name)
  const stray = Object.keys(weightsOf(load) ?? {}).find((weighed) => !names.includes(weighed))
  if (!stray) return
  const problem =
    `load.weights.${stray}: Expected a weight of one of the workflows ${names.join(', ')}, ` + 'got that of another.'
  throw badProfile(
    locate(['load', 'weights', stray]),
    [problem],
    `Correct load.weights.${stray}; docs/profiles.md lists every key.`,
  )
}

async function profileFile(name: string): Promise<string> {
  const known = await bundledProfiles()
  if (known.includes(name)) return relative('.', join(paths.profiles, `${name}.yaml`))
  if (existsSync(name)) return name
  const meant = nearest(name, known)
  throw usage(
    'unknown-profile',
    `Expected --profile to be a file or ${meant === undefined ? `one of ${known.join(', ')}` : 'a profile of ours'}, `
      + `got "${name}".`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}${typed.lab} list shows what each profile asks.`,
  )
}

export async function bundledProfiles(): Promise<string[]> {
  return (await readdir(paths.profiles))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort()
}

/** The values of files and of the command line, those of the latter over the former. */
export async function givenValues({ values, set }: { values: string[]; set: Values }): Promise<Values> {
  const given = mergeValues(...(await Promise.all(values.map(readValuesFile))), set)
  rememberValues(given)
  return given
}

export async function readValuesFile(file: string): Promise<Values> {
  const refuse = (line: number | null, problem: string) => badValues({ file, line }, problem)
  const values = yamlIn(await readYaml(file), refuse, { merge: true }).value ?? {}
  if (typeof values !== 'object' || Array.isArray(values))
    throw badValues({ file, line: 1 }, Array.isArray(values) ? 'a list.' : 'one text.')
  return values as Values
}

const badValues = (location: Location, got: string) =>
  usage(
    'bad-values',
    `${locationText(location)}: Expected Helm values, a map as YAML, got: ${got}`,
    'Correct that file.',
  )

const sameWorkflow = (location: Location, name: string) =>
  usage(
    'same-workflow',
    `${locationText(location)}: Expected workflows of different names, got two of "${name}".`,
    'Name each once; kinds of requests to one workflow are a list under its request.',
  )
