import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { fleetsOf, inQueueMode, saysQueueMode } from '../judge/fleet/fleets.ts'
import { fleetOfRegular, regularsOf } from '../judge/fleet/regular.ts'
import { costOf, demandOf, mainCpu, predicted, rateWithin, type Sure } from '../judge/fleet/model.ts'
import { connectionsOf, regularSize, storeCores } from '../judge/fleet/plan.ts'
import { gather, type Gathered } from '../judge/gather.ts'
import { summarise } from '../judge/summarise.ts'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import { mergeValues } from '../lib/values.ts'
import { exitCodes, usage, type ExitCode } from '../lib/errors.ts'
import { asOption, count, list, perSecond } from '../lib/figures.ts'
import { isOwnPrice, type Price, type Slo, type Values } from '../model/experiment.ts'
import { partNames, Size } from '../model/fleet.ts'
import type { RunRecord } from '../model/record.ts'
import { FleetOf } from '../model/summary.ts'
import { answerInWords } from '../report/fleet-answer.ts'
import { planFor, planInWords, sureSize, tableInWords, type FleetPlan } from '../report/fleet-plan.ts'
import { fleetValues, regularValues } from '../report/fleet-values.ts'
import { writeWhole } from '../report/write.ts'
import { fromRun, readRecords } from '../run/record-file.ts'
import { pricesOf } from './opencost.ts'
import { printJson } from './json.ts'
import { agree } from './reach.ts'

/** What a rate needs, from runs that exist: `size RUN…`, and `plan` as it was called before. */

const orUnknown = z.number().nullable()
const Between = z.strictObject({ low: z.number(), middle: z.number(), high: z.number() }).describe('9 times in 10.')

const ForRate = z.strictObject({
  rate: z.number().describe('Requests a second that were asked for.'),
  p95: z.number().describe('Milliseconds that were asked for.'),
  mode: z.enum(['regular', 'queue']).nullable().describe('Null where no fleet meets it.'),
  size: Size.nullable().describe('The answer: one n8n in regular mode where that does, else the fleet that is sure.'),
  luck: Size.nullable().describe(
    'In queue mode: what would do with luck. Null where nothing does, or too little is known.',
  ),
  likely: Size.nullable().describe('In queue mode: what does as likely as not.'),
  sure: Size.nullable().describe('In queue mode: what does 19 times in 20; null as above.'),
  concurrency: orUnknown.describe('Executions that one worker runs at a time.'),
  sustains: Between.nullable().describe('Requests a second that the answer sustains within that p95.'),
  latency: Between.nullable().describe('The p95 of the answer at that rate, in milliseconds; null near to its limit.'),
  full: z
    .array(z.strictObject({ what: z.enum([...partNames, 'slots']), rate: z.number() }))
    .describe('The rate at which each part is full, the first one first.'),
  mainCpu: orUnknown.describe('Cores of main.'),
  webhookCpu: orUnknown.describe('Cores of one webhook processor; null without a limit.'),
  postgresqlCpu: orUnknown.describe('Cores that PostgreSQL needs; null where it was not measured.'),
  redisCpu: orUnknown.describe('As above, of Redis.'),
  connections: orUnknown.describe('To PostgreSQL, without a pooler.'),
  cost: orUnknown.describe('A month, at the prices that were given; null without them, and in regular mode.'),
})

export const SizedFromRuns = z
  .strictObject({
    command: z.string().describe('That of the run.'),
    fleet: FleetOf,
    rates: z.array(ForRate).describe('That of --rate first, then those of --at.'),
    file: z.string().nullable().describe('The Helm values that were written.'),
    next: z.string().nullable().describe('The command that checks them.'),
  })
  .describe('What rates need, from runs.')
export type SizedFromRuns = z.infer<typeof SizedFromRuns>

export interface Asked {
  rate?: number
  slo?: Partial<Slo>
  at?: number[]
  workflow?: string
  variant?: string
  price?: Partial<Price>
  opencost?: URL
  yes?: true
  write?: string
  json?: true
}

/** Requests a second that one n8n and its stores can be asked for at all. */
const rates = { least: 0.001, most: 100_000 }

export function refuseOddRates({ rate: first, at = [] }: Pick<Asked, 'rate' | 'at'>): void {
  const rate = [...(first === undefined ? [] : [first]), ...at].find(
    (one) => !(one >= rates.least && one <= rates.most),
  )
  if (rate === undefined) return
  throw usage(
    'odd-rate',
    `Expected a rate between ${rates.least} and ${count(rates.most)} requests a second, got ${rate}.`,
    'A request an hour is 0.0003 a second, for which any n8n is enough. Give what comes in your busiest minute, ÷ 60.',
  )
}

/** Returns how the command ends: whether there is an n8n that meets what was asked. */
export async function sizeFromRuns(dirs: string[], asked: Asked): Promise<ExitCode> {
  refuseOddRates(asked)
  const rate = asked.rate ?? asked.at?.[0]
  if (rate === undefined)
    throw usage(
      'no-rate',
      'Expected a rate to size for, got none.',
      'Give the requests a second with --rate, or several with --at 100,200,500.',
    )
  const runs = await Promise.all(dirs.map(readRecords))
  const { fleet, measured, regular, queueMode, p95, price, command, day, alone } = await fromRun(
    dirs.join(' and '),
    () => chosen(dirs, runs, asked),
  )
  const read = asked.opencost && (await pricesFrom(asked.opencost, asked.yes))
  const wanted = {
    rate,
    p95: (asked.slo?.p95 ?? p95) / 1000,
    price: { ...price, ...read, ...asked.price },
    inQueueMode: queueMode,
  }
  const planned = planFor(fleet, wanted)
  const answer = answerInWords(planned)
  const written = () => (planned.regular ? regularValues(planned, regular, day) : fleetValues(planned, measured, day))
  const values = asked.write === undefined ? null : written()
  const file = values === null ? null : relative('.', await writeWhole(resolve(asked.write!), values))
  const next = file === null ? null : toCheck(file, { rate, p95: wanted.p95, workflow: fleet.workflow, command })
  const table = asked.at?.map((each) => planFor(fleet, { ...wanted, rate: each }))
  if (asked.json) {
    const all = asked.rate === undefined ? table! : [planned, ...(table ?? [])]
    printJson({ command, fleet, rates: all.map(forRate), file, next } satisfies SizedFromRuns)
  } else {
    if (answer) process.stdout.write(`${answer}\n${next === null ? '' : `  ${file} written. Check it: ${next}\n`}\n`)
    process.stdout.write(planInWords(planned, command))
    if (alone && answer) process.stdout.write(`\n${whyApart(alone)}\n`)
    if (table) process.stdout.write(`\n${tableInWords(table)}`)
  }
  if (answer !== null) return exitCodes.met
  if (asked.write !== undefined)
    process.stderr.write(
      `${asked.write} was not written: no fleet meets the objective. Allow more with --slo, or plan for less with `
        + '--rate.\n',
    )
  return exitCodes.missed
}

/** What the run itself sustained, where all of its processes had fewer cores than the plan gives them. */
interface Alone {
  rate: number
  cores: number
}

const whyApart = ({ rate, cores }: Alone) =>
  `The run itself sustained ${perSecond(rate)} in queue mode: there all processes of n8n shared `
  + `${cores === 1 ? 'one core' : `${cores} cores`} of the machine, and the plan gives each its own.`

/** Of the same workflow as the run: what its command said of it, or its name. */
function toCheck(
  file: string,
  { rate, p95, workflow, command }: { rate: number; p95: number; workflow: string; command: string },
): string {
  const said = command.match(/ --(workflow|request|credentials|data-tables|outside) ('[^']*'|\S+)/g) ?? []
  const what = said.some((one) => one.startsWith(' --workflow ')) ? said.join('') : ` --workflow ${workflow}`
  const slo = `p95=${Math.round(p95 * 1000)}ms`
  return `${typed.lab} check --target kubernetes --values ${file}${what} --rate ${asOption(rate)} --slo ${slo}`
}

/** What is said of one rate, in figures. */
function forRate(planned: FleetPlan): z.infer<typeof ForRate> {
  const { fleet, wanted, regular, size: middle, likely } = planned
  const { rate, p95, price } = wanted
  const asked = { rate, p95: Math.round(p95 * 1000) }
  const sizes = { luck: likely?.low ?? null, likely: middle, sure: likely?.high ?? null }
  const size = regular ? regularSize : sureSize(planned)
  if (!size) return { ...asked, mode: null, size, ...sizes, ...nothing }
  const within = (sure: Sure) => rateWithin(fleet, size, p95, sure)
  const { p95: seconds, ends } = predicted(fleet, size, rate)
  const webhook = demandOf(fleet, 'webhook')!
  const inQueue = <T>(value: T) => (regular ? null : value)
  return {
    ...asked,
    mode: regular ? 'regular' : 'queue',
    size,
    ...sizes,
    concurrency: inQueue(fleet.slots),
    // With luck demands are low, and more is sustained.
    sustains: { low: within('high'), middle: within('middle'), high: within('low') },
    latency: seconds && { low: seconds.low * 1000, middle: seconds.middle * 1000, high: seconds.high * 1000 },
    full: ends,
    mainCpu: mainCpu(fleet, size, rate),
    webhookCpu: inQueue(webhook.cpu),
    postgresqlCpu: inQueue(storeCores(fleet, 'postgresql', rate)),
    redisCpu: inQueue(storeCores(fleet, 'redis', rate)),
    connections: inQueue(connectionsOf(fleet, size)),
    cost: inQueue(isOwnPrice(price) ? costOf(fleet, size, rate, price) : null),
  }
}

const nothing = {
  ...{ concurrency: null, sustains: null, latency: null, full: [], mainCpu: null, webhookCpu: null },
  ...{ postgresqlCpu: null, redisCpu: null, connections: null, cost: null },
}

async function pricesFrom(url: URL, yes?: true): Promise<Price> {
  const does = ['its costs of the last 7 days are read', 'nothing is written there']
  await agree([{ what: `the OpenCost at ${url.href} (--opencost)`, does }], yes)
  return pricesOf(url)
}

interface Chosen {
  fleet: FleetOf
  measured: Values
  /** For one n8n in regular mode. */
  regular: Values
  /** The values of all variants say so. */
  queueMode: boolean
  p95: number
  price: Price
  command: string
  /** On which it was measured. */
  day: string
  /** Null where it had as many cores as its processes may use, or sustained nothing. */
  alone: Alone | null
}

/** The one n8n of the runs that is asked about. */
function chosen(dirs: string[], runs: RunRecord[][], { workflow, variant }: Asked): Chosen {
  const begun = runs.flatMap((records) => records.flatMap((record) => (record.type === 'run' ? [record] : [])))
  const { command, experiment, environment } = begun.at(-1)!
  const all = runs.flatMap((records) => gather(records))
  const wanted = (one: { workflow: string; variant: string }) =>
    (workflow === undefined || one.workflow === workflow) && (variant === undefined || one.variant === variant)
  const fleets = fleetsIn(all, experiment.slo, environment.calibration?.rate ?? null).filter(wanted)
  const [fleet] = fleets
  if (!fleet)
    throw usage(
      'no-fleet-in-run',
      `Expected ${list(dirs)} to hold steps that n8n kept up with, got none`
        + `${workflow === undefined && variant === undefined ? '' : ' of that workflow and variant'}.`,
      `Measure it: ${typed.lab} size --workflow ${workflow ?? 'exported.json'} --rate 30`,
    )
  if (fleets.length > 1)
    throw usage(
      'several-fleets',
      `Expected one n8n under one workflow to plan for, got ${fleets.length}: ${list(fleets.map(nameOf))}.`,
      `Name one with --workflow ${shellWord(fleet.workflow)} --variant ${shellWord(fleet.variant)}.`,
    )
  const measured = all.findLast((one) => one.workflow === fleet.workflow && one.variant === fleet.variant)!.values
  const own = all.findLast((one) => one.workflow === fleet.workflow && !inQueueMode(one))?.values
  const { image, tuning } = measured
  const regular = own ?? { ...(image !== undefined && { image }), ...(tuning !== undefined && { tuning }) }
  return {
    fleet,
    measured,
    regular,
    queueMode: experiment.variants.every(({ values }) => saysQueueMode(mergeValues(experiment.base ?? {}, values))),
    p95: experiment.slo.p95,
    price: experiment.price,
    command,
    day: new Date(begun.at(-1)!.at).toISOString().slice(0, 10),
    // Of a run that measured one n8n of each kind, for this question.
    alone: experiment.asks === 'demand' ? aloneIn(runs.at(-1)!, fleet, environment.cores.target.length) : null,
  }
}

function aloneIn(records: RunRecord[], { workflow, variant }: FleetOf, cores: number): Alone | null {
  const result = summarise(records).results.find((one) => one.workflow === workflow && one.variant === variant)
  if (!result?.capacity || !inQueueMode(result) || cores === 0) return null
  const wanted = result.resources.reduce((sum, { limit }) => sum + (limit.cpu ?? 1), 0)
  return wanted > cores ? { rate: result.capacity.rate, cores } : null
}

const nameOf = ({ workflow, variant }: FleetOf) => `${workflow} (${variant})`

/** By queue mode, with what regular mode takes where that was measured too. Else by regular mode alone. */
function fleetsIn(all: Gathered[], slo: Slo, bare: number | null): FleetOf[] {
  const regulars = regularsOf(all, slo)
  const queue = fleetsOf(all).map((fleet) => {
    const same = regulars.find(({ of }) => of.workflow === fleet.workflow)
    return same ? { ...fleet, regular: same.demand } : fleet
  })
  const alone = regulars.filter(({ of }) => !queue.some(({ workflow }) => workflow === of.workflow))
  return [...queue, ...alone.map((one) => fleetOfRegular(one, slo, bare))]
}
