import { InvalidArgumentError, Option, type Command } from 'commander'
import { yamlValue } from '../lib/yaml.ts'
import { usualEnough } from '../run/enough.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { nameValue } from '../lib/name-value.ts'
import { typed } from '../lib/paths.ts'
import type { Arrivals } from '../model/load.ts'
import { mostCopies } from '../model/schedules.ts'
import { mostEditors, type Enough, type Price, type Slo, type Values } from '../model/experiment.ts'
import type { EngineName } from '../targets/means.ts'
import { parseDuration, parseShare } from '../lib/units.ts'
import { isStoreUrl } from '../lib/s3.ts'
import { jsonOption } from './json.ts'

/** The URL of an n8n that already runs is a target too. */
export type TargetName = 'local' | 'kubernetes' | URL

/** Options of every verb that measures. */
export interface CommonOptions {
  strict?: true
  profile: string
  target: TargetName
  engine?: EngineName | 'auto'
  metricsUrl: URL[]
  yes?: true
  values: string[]
  set: Values
  slo?: Partial<Slo>
  workflow: string[]
  mix?: Mix | true
  request?: string
  execution?: string
  credentials?: string
  dataTables?: string
  outside?: string
  recordOutside?: string
  allowOutside?: true
  repeat?: number
  out?: string
  resume?: string
  record?: string
  namespace?: string
  generators?: number
  arrivals?: Arrivals
  history?: number
  editors?: number
  copies?: number
  quick?: true
  whenQuiet?: true
  json?: true
  live?: boolean
  remoteWrite?: URL
  /** Options of check and compare. */
  explain?: true
  within?: number
  budget?: number
}

/** Help in groups, in this order. */
export const groups = {
  first: 'First of all:',
  what: 'What to measure:',
  where: 'On what:',
  long: 'How long:',
  else: 'What else:',
}

/** An option of another group than the one that its verb is adding to. */
export const among = (group: keyof typeof groups, flags: string, says: string): Option =>
  new Option(flags, says).helpGroup(groups[group])

/** One example for each situation. */
export const examples = (...all: [situation: string, words: string][]): string =>
  `\nExamples:\n${all.map(([situation, words]) => `  ${situation}:\n    ${typed.lab} ${words}`).join('\n')}`

export function withCommonOptions(command: Command, profile: string): Command {
  return command
    .addHelpOption(among('else', '-h, --help', 'show this'))
    .optionsGroup(groups.first)
    .option('--workflow <name|file>', 'an exported file, or a bundled workflow by its name; repeatable', collect, [])
    .option('--values <file>', 'Helm values under every variant; repeatable', collect, [])
    .option(
      '--target <target>',
      'where n8n runs: local, kubernetes, or the URL of one that runs already',
      parseTarget,
      'local',
    )
    .option('--slo <objective>', 'what has to hold, for example p95=1s,errors=0.1%,backlog=5%', parseSlo)
    .optionsGroup(groups.what)
    .option('--profile <name|file>', 'the experiment, a file or one of those that list names', profile)
    .option('--set <key=value>', 'one Helm value, over all but a matrix; repeatable', setValue, {})
    .addOption(mixOption())
    .option(
      '--request <file>',
      'what is sent to the workflow: JSON, NDJSON, a HAR or a curl command (default: the data pinned on its trigger)',
    )
    .option(
      '--execution <file>',
      'an execution of the workflow, as your n8n gives it with its data: what was sent, and what services answered',
    )
    .option(
      '--credentials <file>',
      'of the workflows, as n8n export:credentials --all --decrypted writes them; never recorded',
    )
    .option('--data-tables <file>', 'of the workflows: JSON with their names, columns and rows')
    .addOption(new Option('--outside <file>', 'mock external services by these rules').conflicts('allowOutside'))
    .addOption(
      new Option(
        '--record-outside <file>',
        'call the real services once for each kind of call, and write such rules',
      ).conflicts('allowOutside'),
    )
    .option(
      '--strict',
      'refuse a workflow of which a node fails, in place of measuring it with a stand-in for that node',
    )
    .option('--allow-outside', 'no mock: each execution calls the real services')
    .addOption(
      new Option(
        '--arrivals <kind>',
        'at random, as independent callers send requests (the default), or evenly, to compare with other tools',
      ).choices(['random', 'even']),
    )
    .option(
      '--history <executions>',
      'put so many into n8n’s database before the load, as after months in production; n8n then prunes none by number',
      wholeNumber,
    )
    .option(
      '--editors <number>',
      'open so many editors beside the load, which poll lists as n8n’s own do: what do they cost? (local target)',
      parseEditors,
    )
    .option(
      '--copies <number>',
      'begin so many copies of each --workflow that has a schedule at every full minute, beside callers of another '
        + 'workflow: do they run, how late, and what do callers feel? (local target)',
      parseCopies,
    )
    .optionsGroup(groups.where)
    .addOption(
      new Option(
        '--engine <engine>',
        'what n8n runs as on this machine: processes, or containers of Docker or Podman; auto, the default, takes '
          + 'processes where npm has that n8n and the machine its stores',
      ).choices(['auto', 'process', 'container']),
    )
    .option(
      '--metrics-url <url>',
      'of a target that runs already; repeatable, for every process of n8n',
      collectUrl,
      [],
    )
    .option(
      '--namespace <name>',
      'in a cluster, an existing namespace to measure in; the lab then needs rights only there',
      parseNamespace,
    )
    .option('--generators <pods>', 'in a cluster: number of k6 pods', positiveInteger)
    .option('--yes', 'reach what the lab does not start (a URL, a cluster, real services) without asking')
    .optionsGroup(groups.long)
    .option('--quick', 'shorter steps and a coarser search')
    .option('--repeat <times>', 'measure everything this often', positiveInteger)
    .option('--when-quiet', 'begin when nothing else runs on this machine, after a minute at the latest')
    .addOption(
      new Option('--resume <dir>', 'go on with a run that was stopped, with the same command').conflicts('out'),
    )
    .optionsGroup(groups.else)
    .option('--out <dir>', 'folder of the results (default: results/<time>-<profile>)')
    .option(...jsonOption)
    .option('--live', 'serve a page about the run on loopback while it lasts (the default on a terminal)')
    .option('--no-live', 'serve no page')
    .option('--record <s3://bucket/prefix>', 'copy the run there too, when it has ended', parseStore)
    .option(
      '--remote-write <url>',
      'also write k6’s figures to a Prometheus while the load runs, for example http://127.0.0.1:9090/api/v1/write',
      parseUrl,
    )
    .optionsGroup(groups.what)
}

export function parseTarget(text: string): TargetName {
  if (text === 'local' || text === 'kubernetes') return text
  const url = urlOf(text)
  if (url) return url
  throw new InvalidArgumentError(`Expected local, kubernetes or a URL like https://n8n.example.com, got "${text}".`)
}

function collectUrl(text: string, all: URL[]): URL[] {
  const url = urlOf(text)
  if (!url) throw new InvalidArgumentError(`Expected a URL like https://n8n.example.com/metrics, got "${text}".`)
  return [...all, url]
}

export function parseUrl(text: string): URL {
  const url = urlOf(text)
  if (!url) throw new InvalidArgumentError(`Expected a URL like http://127.0.0.1:9090/api/v1/write, got "${text}".`)
  return url
}

/** All users of the machine can read secrets in arguments, and the record would contain them. */
function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.username || url?.password)
    throw new InvalidArgumentError('Expected a URL without a name and a password, got one with them.')
  return url && /^https?:$/.test(url.protocol) ? url : null
}

export function parseNamespace(text: string): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError(`Expected the name of a namespace, such as n8n-lab, got "${text}".`)
  return text
}

export function parseStore(text: string): string {
  if (!isStoreUrl(text)) throw new InvalidArgumentError(`Expected s3://bucket or s3://bucket/prefix, got "${text}".`)
  return text
}

export const explainOption = [
  '--explain',
  'one more step of load at what held, with every n8n process under profile: which functions take its CPU time '
    + '(local target)',
] as const

/** Options of the verbs that repeat until the figures are precise enough. */
export function withEnoughOptions(command: Command): Command {
  return command
    .addOption(
      among(
        'long',
        '--within <share>',
        'repeat until figures are off by no more than this (default with --budget: 10%)',
      )
        .argParser(parseWithin)
        .conflicts('repeat'),
    )
    .addOption(
      among('long', '--budget <time>', 'repeat for no longer than this (default with --within: 15m)')
        .argParser(parseBudget)
        .conflicts('repeat'),
    )
}

/** Undefined if neither was given. */
export function enoughOf({ within, budget }: Pick<CommonOptions, 'within' | 'budget'>): Enough | undefined {
  return within === undefined && budget === undefined
    ? undefined
    : { within: within ?? usualEnough.within, budget: budget ?? usualEnough.budget }
}

function parseWithin(text: string): number {
  const share = parseShare(text)
  if (!share) throw new InvalidArgumentError(`Expected a share such as 10%, got "${text}".`)
  return share
}

function parseBudget(text: string): number {
  const milliseconds = parseDuration(text)
  if (!milliseconds) throw new InvalidArgumentError(`Expected a time such as 15m, got "${text}".`)
  return milliseconds / 1000
}

export const collect = (value: string, all: string[]) => [...all, value]

export function setValue(text: string, all: Values): Values {
  const [path, value] = nameValue(text)
  if (value === undefined || !/^[^.]+(\.[^.]+)*$/.test(path))
    throw new InvalidArgumentError(`Expected key=value, got "${text}".`)
  return mergeValues(all, atPath(path, asYaml(value)))
}

/** A tag such as 7.0 is no number: what would be written otherwise afterwards stays as it was typed. */
function asYaml(text: string): unknown {
  try {
    const value: unknown = yamlValue(text)
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    throw new InvalidArgumentError(`Expected its value to be YAML, got "${text}".`)
  }
}

export function parseSlo(text: string): Partial<Slo> {
  return Object.fromEntries(text.split(',').map(objective))
}

function objective(part: string): [keyof Slo, number] {
  const [name, value = ''] = nameValue(part)
  const isTime = /^p(95|99|99\.9)$/.test(name)
  const parsed = isTime ? parseDuration(value) : name === 'errors' || name === 'backlog' ? parseShare(value) : undefined
  if (parsed === undefined || (isTime && parsed === 0))
    throw new InvalidArgumentError(`Expected p95=500ms, p99=1s, p99.9=2s, errors=0.1% or backlog=5%, got "${part}".`)
  return [name as keyof Slo, parsed]
}

/** Workflows by name, with how often each is called. */
export type Mix = Record<string, number>

export const mixOption = () =>
  new Option(
    '--mix [weights]',
    'load all workflows at once, as one mix; each as often as the others, or as orders=3,nightly=0.1 says',
  ).argParser(parseMix)

/** Commander calls it only if there is a text. */
function parseMix(text: string): Mix {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, value = ''] = nameValue(part)
      const weight = Number(value)
      if (!name || !(weight > 0))
        throw new InvalidArgumentError(`Expected weights such as orders=3,nightly=0.1, got "${part}".`)
      return [name, weight]
    }),
  )
}

export function parsePrice(text: string): Partial<Price> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, value = ''] = nameValue(part)
      const price = value.trim() === '' ? NaN : Number(value)
      if (!['cpu', 'memory'].includes(name) || !(price >= 0))
        throw new InvalidArgumentError(`Expected cpu=23 or memory=3, got "${part}".`)
      return [name, price]
    }),
  )
}

/** With 0 there are none, whatever the profile has. */
function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Expected a whole number such as 20, or 0 for none, got "${text}".`)
  return value
}

export function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError(`Expected a whole number from 1, got "${text}".`)
  return value
}

function parseCopies(text: string): number {
  const value = wholeNumber(text)
  if (value > mostCopies) throw new InvalidArgumentError(`Expected at most ${mostCopies} copies, got ${value}.`)
  return value
}

function parseEditors(text: string): number {
  const value = wholeNumber(text)
  if (value > mostEditors) throw new InvalidArgumentError(`Expected at most ${mostEditors} editors, got ${value}.`)
  return value
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError(`Expected a number above 0, got "${text}".`)
  return value
}
