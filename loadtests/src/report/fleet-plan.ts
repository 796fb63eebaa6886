import { coresFor, demandOf, inSteps, mainCpu, predicted } from '../judge/fleet/model.ts'
import {
  concurrencyFor,
  connectionsOf,
  regularIsEnough,
  smallest,
  storeCores,
  usualSize,
  type Wanted,
} from '../judge/fleet/plan.ts'
import { asOption, count, figure, latency, memory, percent, perSecond } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import { isOwnPrice, type Price } from '../model/experiment.ts'
import type { Size } from '../model/fleet.ts'
import type { FleetOf } from '../model/summary.ts'
import { figureNames, figuresOf, partWords, type FleetFigures } from './fleet-figures.ts'

/** What `plan` says: the smallest fleet for a rate, what it needs of the stores, and what would make it surer. */

export interface FleetPlan {
  fleet: FleetOf
  wanted: Wanted
  /** Null where no number of workers meets the objective. */
  size: Size | null
  /** One n8n in regular mode is enough. */
  regular: boolean
  /** What would do with luck, and what does 19 times in 20; null where too little is known. */
  likely: { low: Size | null; high: Size | null } | null
}

export function planFor(measured: FleetOf, wanted: Wanted): FleetPlan {
  const fleet = { ...measured, slots: measured.slots && concurrencyFor(measured, usualSize(measured)) }
  return {
    fleet,
    wanted,
    regular: !wanted.inQueueMode && regularIsEnough(fleet, wanted),
    size: smallest(fleet, wanted),
    likely: unknownBy(fleet)
      ? null
      : { low: smallest(fleet, wanted, { sure: 'low' }), high: smallest(fleet, wanted, { sure: 'high' }) },
  }
}

/** To be sure: the larger fleet of the interval. */
export const sureSize = ({ size, likely }: FleetPlan): Size | null => likely?.high ?? size

const ownPrice = ({ price }: Wanted): Price | null => (isOwnPrice(price) ? price : null)

const notMeasured = 'not measured'

/** `command`: that of the run. */
export function planInWords(planned: FleetPlan, command: string): string {
  const { fleet, wanted, regular } = planned
  const size = sureSize(planned)
  const { workflow, variant } = fleet
  const objective = `${perSecond(wanted.rate)} of ${workflow} (${variant}), p95 within ${latency(wanted.p95 * 1000)}`
  if (!size) {
    const surer = narrowing(planned, usualSize(fleet), command).map((line) => `  ${line}`)
    return [`${objective}: ${impossible(planned)}`, 'To make it surer:', ...surer, ''].join('\n')
  }
  const figures = figuresOf(fleet, {
    size,
    rate: wanted.rate,
    objective: wanted.p95 * 1000,
    price: ownPrice(wanted),
  })
  const { least, most } = fleet.rates
  const steps = fleet.steps === 1 ? 'one step' : `${fleet.steps} steps`
  const rates = least === most ? perSecond(most) : `${perSecond(least)} to ${perSecond(most)}`
  const about = `From ${steps} of ${rates}. ${exactness(planned)}`
  return [
    `${regular ? 'In queue mode the same rate takes' : 'In detail'}:\n`,
    rows([...fleetRows(planned, size), ...storeRows(fleet, size, wanted.rate)]),
    '\nWhat the model says of it:',
    rows((Object.keys(figureNames) as (keyof FleetFigures)[]).map((name) => [figureNames[name], figures[name]])),
    '\nWhat breaks next:',
    ...breaksNext(fleet, size, wanted.rate).map((line) => `  ${line}`),
    `\n${about}`,
    'To make it surer:',
    ...narrowing(planned, size, command).map((line) => `  ${line}`),
    '',
  ].join('\n')
}

/** Of several rates, in a table. */
export function tableInWords(all: FleetPlan[]): string {
  const columns = [
    'rate',
    'workers',
    'processors',
    'main',
    'Redis',
    'PostgreSQL',
    'connections',
    'p95',
    'first full',
    'cost',
  ]
  const lines = all.map((planned) => {
    const { fleet, wanted } = planned
    const size = sureSize(planned)
    if (!size) return [perSecond(wanted.rate), 'none meets it', ...columns.slice(2).map(() => '–')]
    const { rate } = wanted
    const price = ownPrice(wanted)
    const figures = figuresOf(fleet, { size, rate, objective: wanted.p95 * 1000, price })
    const connections = connectionsOf(fleet, size)
    return [
      perSecond(rate),
      withLuck(planned, size, 'worker'),
      withLuck(planned, size, 'webhook'),
      `${size.main} × ${figure(mainCpu(fleet, size, rate))}`,
      coresInWords(fleet, 'redis', rate),
      coresInWords(fleet, 'postgresql', rate),
      connections === null ? notMeasured : count(connections),
      figures.p95,
      figures.full,
      price ? figures.cost.replace(/ \(.*/, '') : '–',
    ]
  })
  const widths = columns.map((column, nth) =>
    Math.max(...[columns, ...lines].map((line) => line[nth]!.length), column.length),
  )
  return `${[columns, ...lines]
    .map((line) =>
      line
        .map((cell, nth) => cell.padEnd(widths[nth]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

const rows = (all: [string, string][]) => all.map(([what, text]) => `  ${what.padEnd(31)}${text}`).join('\n')

function withLuck({ likely }: FleetPlan, size: Size, role: 'worker' | 'webhook'): string {
  const fewest = likely?.low?.[role]
  return fewest === undefined || fewest === size[role] ? `${size[role]}` : `${size[role]} (${fewest} with luck)`
}

function fleetRows(planned: FleetPlan, size: Size): [string, string][] {
  const { fleet, wanted } = planned
  const [webhook, main, runner] = (['webhook', 'main', 'runner'] as const).map((part) => demandOf(fleet, part))
  const slots = fleet.slots === null ? '' : `, ${fleet.slots} executions at once`
  return [
    [
      'Workers',
      `${withLuck(planned, size, 'worker')}, each ${limits(size.workerCpu, size.workerMemory || null)}${slots}`,
    ],
    ...(runner
      ? [['Task runners', `one beside each worker, ${limits(runner.cpu, runner.memory)}`] as [string, string]]
      : []),
    ['Webhook processors', `${withLuck(planned, size, 'webhook')}, each ${limits(webhook!.cpu, webhook!.memory)}`],
    [
      'Main',
      main
        ? `${size.main}, ${limits(mainCpu(fleet, size, wanted.rate), main.memory)}`
          + (size.main > 1 ? '; more than one needs a licence of n8n’s' : '')
        : notMeasured,
    ],
  ]
}

const limits = (cpu: number | null, bytes: number | null) =>
  `${cpu === null ? 'without a CPU limit' : cores(cpu)} and ${bytes === null ? 'no memory limit' : memory(bytes)}`

const cores = (value: number) => `${figure(value)} ${value === 1 ? 'core' : 'cores'}`

function coresInWords(fleet: FleetOf, part: 'redis' | 'postgresql', rate: number): string {
  const needed = storeCores(fleet, part, rate)
  return needed === null ? notMeasured : cores(inSteps(needed))
}

const day = 86_400

function storeRows(fleet: FleetOf, size: Size, rate: number): [string, string][] {
  const { commands, transactions, written, kept, busy } = fleet.execution
  const connections = connectionsOf(fleet, size)
  const behindPooler =
    busy === null ? notMeasured : `about ${count(Math.max(1, Math.ceil(busy * rate + 3 * Math.sqrt(busy * rate))))}`
  return [
    ['Redis', `${coresInWords(fleet, 'redis', rate)} of the one it can use; commands: ${each(commands, rate)}`],
    ['PostgreSQL', `${coresInWords(fleet, 'postgresql', rate)}; transactions: ${each(transactions, rate)}`],
    [
      'Connections to PostgreSQL',
      `${connections === null ? notMeasured : `${count(connections)} without a pooler`}; `
        + `at work at once, behind one: ${behindPooler}`,
    ],
    ['Journal of PostgreSQL', written === null ? notMeasured : `${memory(written * rate)} a second`],
    ['Disk a day, before n8n prunes', kept === null ? notMeasured : memory(Math.max(0, kept) * rate * day)],
  ]
}

const each = (an: number | null, rate: number) =>
  an === null ? notMeasured : `${perSecond(an * rate)}, ${figure(an)} an execution`

/** PostgreSQL's own limit, less what it keeps for its superuser. */
const usualConnections = 97

function breaksNext(fleet: FleetOf, size: Size, rate: number): string[] {
  const { ends } = predicted(fleet, size, rate)
  const connections = connectionsOf(fleet, size)
  const fewMore = ends
    .slice(0, 4)
    .map(({ what, rate: at }) => ({ at, text: `${partWords[what]} full: ${more[what] ?? ''}` }))
  const all = [
    ...fewMore,
    ...(connections === null
      ? []
      : [
          {
            at: (rate * usualConnections) / connections,
            text:
              'the 100 connections that PostgreSQL allows by itself are open: raise max_connections, or put a pooler '
              + 'before it.',
          },
        ]),
  ].sort((a, b) => a.at - b.at)
  return [
    ...all.map(({ at, text }) => `${at < rate ? 'before that rate, at' : 'at'} ${perSecond(at)}: ${text}`),
    'The disk of PostgreSQL, the network and Bull’s delivery to many workers: not measured.',
  ]
}

const more: Partial<Record<keyof typeof partWords, string>> = {
  worker: 'raise worker.replicas.',
  slots: 'raise worker.replicas, or worker.concurrency where memory allows it.',
  webhook: 'raise webhook.replicas.',
  runner: 'raise worker.replicas, or runner.resources.limits.cpu.',
  main: 'its one thread does more for each execution than it has time for; more mains need a licence.',
  redis: 'it runs commands on one core, and no further n8n helps.',
}

export function exactness({ fleet, likely }: Pick<FleetPlan, 'fleet' | 'likely'>): string {
  const unknown = unknownBy(fleet)
  if (unknown) return `How exact it is, is not known: ${unknown}`
  if (fleet.basis === 'regular')
    return 'From a run in regular mode: what queue mode adds is as it usually is, so the range is wide.'
  return likely && !likely.high
    ? 'No fleet is sure to meet the objective: this one does as likely as not.'
    : 'It is enough 19 times in 20.'
}

function unknownBy({ fromCallers, demands, basis }: FleetOf): string | null {
  if (basis !== 'queue') return null
  if (!fromCallers) return 'no step had callers who arrive at random.'
  const bare = demands.some(({ part, within }) => (part === 'worker' || part === 'webhook') && within === null)
  return bare ? 'too few steps tell what an execution takes.' : null
}

function impossible({ fleet, wanted }: FleetPlan): string {
  const redis = demandOf(fleet, 'redis')
  const idle = smallest(fleet, { ...wanted, rate: 0.1 })
  if (!idle) return 'no fleet meets that: an execution that is alone takes longer. Allow more with --slo.'
  return redis && coresFor(redis, wanted.rate) > 0.7
    ? 'no number of workers sustains that: Redis has one core, and this rate fills it.'
    : 'no number of workers up to 10,000 sustains that.'
}

/** Above this share, an interval decides the number of workers. */
const wide = 0.1
/** So many times further than measured, demands may have changed. */
const far = 4

/** The workflow as the command names it: of a file the run has only the name, which finds nothing. */
const saidWorkflow = (command: string): string | undefined => / --workflow[ =]('[^']*'|\S+)/.exec(command)?.[1]

/** What to measure next, what narrows most first: by the command of the run, so of the same workflow. */
function narrowing({ fleet, wanted }: FleetPlan, size: Size, command: string): string[] {
  const worker = demandOf(fleet, 'worker')!
  const sized = /^n8n-tuned size\b/.test(command)
  const run = command
    .replace(/^n8n-tuned \w+/, `${typed.lab} ${sized ? 'size' : 'check'}`)
    .replace(/ --(out|write) ('[^']*'|\S+)/g, '')
  const [first] = predicted(fleet, size, wanted.rate).ends
  const limiting = first && first.what !== 'slots' ? demandOf(fleet, first.what)! : worker
  const asked: [number, string][] = []
  if (fleet.demands.some(({ idleKnown }) => !idleKnown) && !sized)
    asked.push([
      3,
      `${run}: a search has steps of several rates. They tell what is used without load, which now counts as load.`,
    ])
  if (unknownBy(fleet) && !sized)
    asked.push([
      2.9,
      `${run} --rate ${asOption(fleet.rates.most / 2)}, and give size both runs: steps well below the edge tell `
        + 'how far latencies lie from the model.',
    ])
  if (worker.processes.least === worker.processes.most)
    asked.push([
      2.5,
      `${run} --set worker.replicas=${2 * worker.processes.most}, and give size both runs: `
        + 'does a worker do as much beside others?',
    ])
  if (limiting.within === null || limiting.within > wide * limiting.seconds)
    asked.push([
      limiting.within === null ? 2.8 : 1 + limiting.within / limiting.seconds,
      `${run} --repeat 3: what ${partWords[limiting.part]} spend on an execution is known ${
        limiting.within === null ? 'from too few steps' : `± ${percent(limiting.within / limiting.seconds)}`
      }.`,
    ])
  if (wanted.rate / fleet.rates.most > far)
    asked.push([
      1 + Math.log10(wanted.rate / fleet.rates.most),
      `${run} --target kubernetes --set worker.replicas=${Math.max(2, Math.ceil(size.worker / far))}: the rate is `
        + `${figure(wanted.rate / fleet.rates.most)} times what was measured.`,
    ])
  if (fleet.basis === 'regular')
    asked.push([
      4,
      `${typed.lab} size --workflow ${saidWorkflow(command) ?? shellWord(fleet.workflow)} `
        + `--rate ${asOption(wanted.rate)}: it measures queue mode.`,
    ])
  if (fleet.execution.kept === null)
    asked.push([1.2, `${run} --hold 15m: it tells what a day adds to the disk of PostgreSQL.`])
  if (fleet.execution.written === null || connectionsOf(fleet, size) === null)
    asked.push([1.1, `${run}: with the lab’s own PostgreSQL it tells the journal, transactions and connections.`])
  asked.push([0.5, `${run} --hold 15m: minutes at one rate tell demands more exactly than steps of seconds.`])
  return asked
    .toSorted(([a], [b]) => b - a)
    .slice(0, 3)
    .map(([, text], nth) => `${nth + 1}. ${text}`)
}
