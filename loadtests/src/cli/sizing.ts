import { relative, resolve } from 'node:path'
import { fleetsOf, inQueueMode } from '../judge/fleet/fleets.ts'
import { fleetOfRegular, regularsOf } from '../judge/fleet/regular.ts'
import { gather, type Gathered } from '../judge/gather.ts'
import { typed } from '../lib/paths.ts'
import { usage } from '../lib/errors.ts'
import { figure, list } from '../lib/figures.ts'
import type { Price, Slo, Values } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import type { FleetOf } from '../model/summary.ts'
import { answerInWords } from '../report/fleet-answer.ts'
import { planFor, planInWords, tableInWords } from '../report/fleet-plan.ts'
import { fleetValues, regularValues } from '../report/fleet-values.ts'
import { writeWhole } from '../report/write.ts'
import { fromRun, readRecords } from '../run/record-file.ts'
import { pricesOf } from './opencost.ts'
import { agree } from './reach.ts'

/** What a rate needs, from runs that exist: `size RUN…`, and `plan` as it was called before. */

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
}

export async function sizeFromRuns(dirs: string[], asked: Asked): Promise<void> {
  const rate = asked.rate ?? asked.at?.[0]
  if (rate === undefined)
    throw usage(
      'no-rate',
      'Expected a rate to size for, got none.',
      'Give the requests a second with --rate, or several with --at 100,200,500.',
    )
  const runs = await Promise.all(dirs.map(readRecords))
  const { fleet, measured, regular, p95, price, command } = await fromRun(dirs.join(' and '), () =>
    chosen(dirs, runs, asked),
  )
  const read = asked.opencost && (await pricesFrom(asked.opencost, asked.yes))
  const wanted = {
    rate,
    p95: (asked.slo?.p95 ?? p95) / 1000,
    price: { ...price, ...read, ...asked.price },
  }
  const planned = planFor(fleet, wanted)
  const answer = answerInWords(planned)
  const written = () => (planned.regular ? regularValues(planned, regular) : fleetValues(planned, measured))
  const values = asked.write === undefined ? null : written()
  const file = values === null ? null : relative('.', await writeWhole(resolve(asked.write!), values))
  if (answer) process.stdout.write(`${answer}\n${file === null ? '' : `  ${toCheck(file, rate)}\n`}\n`)
  process.stdout.write(planInWords(planned, command))
  if (asked.at)
    process.stdout.write(`\n${tableInWords(asked.at.map((each) => planFor(fleet, { ...wanted, rate: each })))}`)
  if (asked.write !== undefined && values === null)
    throw usage(
      'no-fleet',
      `Expected a fleet to write to ${asked.write}, got none that meets the objective.`,
      'Allow more with --slo, or plan for less with --rate.',
    )
}

const toCheck = (file: string, rate: number) =>
  `${file} written. Check it: ${typed.lab} check --target kubernetes --values ${file} --rate ${figure(rate)}`

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
  p95: number
  price: Price
  command: string
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
      `Name one with --workflow ${fleet.workflow} --variant ${fleet.variant}.`,
    )
  const measured = all.findLast((one) => one.workflow === fleet.workflow && one.variant === fleet.variant)!.values
  const own = all.findLast((one) => one.workflow === fleet.workflow && !inQueueMode(one))?.values
  const { image, tuning } = measured
  const regular = own ?? { ...(image !== undefined && { image }), ...(tuning !== undefined && { tuning }) }
  return { fleet, measured, regular, p95: experiment.slo.p95, price: experiment.price, command }
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
