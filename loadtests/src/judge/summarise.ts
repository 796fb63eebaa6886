import { answered } from './answer.ts'
import { editorsOf } from './editors.ts'
import { schedulesOf } from './schedules.ts'
import { capacityOf, longest } from './capacity.ts'
import { compare } from './comparison.ts'
import { fleetsOf } from './fleet/fleets.ts'
import { gateOf } from './gate.ts'
import { gather, type Gathered } from './gather.ts'
import { verdictOf } from './limit.ts'
import { operatingOf, soakOf } from './operating.ts'
import { together } from './outside.ts'
import { recommend } from './recommendation.ts'
import { cpuPerRequest, peaksOf, resourcesOf, queueLength } from './resources.ts'
import { scalings } from './scaling.ts'
import { median } from './statistics.ts'
import type { Summary } from '../model/summary.ts'
import { inForce } from './tier.ts'
import { turnsOf } from './turns.ts'
import { worths } from './worth.ts'
import { type Experiment, isOwnPrice } from '../model/experiment.ts'
import { inTurn } from '../model/samples.ts'
import type { RunRecord } from '../model/record.ts'
import type { Environment } from '../model/environment.ts'
import type { Result } from '../model/result.ts'
import type { Step } from '../model/step.ts'

/** Turns the records of a run into its summary, also when the run was cut short. `over`: asks for another rate. */
export function summarise(records: RunRecord[], over: Pick<Experiment, 'need'> = {}): Summary {
  const run = only(records, 'run')[0]
  if (!run)
    throw new TypeError(
      `Expected a record of type "run", got ${records[0] ? `"${records[0].type}" first` : 'no records'}`,
    )
  const end = only(records, 'end').at(-1)
  const outcome = end?.outcome ?? 'interrupted'
  const experiment = { ...run.experiment, ...over }
  const environment = environmentOf(run.environment, records)
  const shape = experiment.load.shape
  const all = gather(records).map((one) => (outcome === 'complete' ? one : finishedRepeats(one)))
  const results = all.map((gathered) => resultOf(gathered, experiment))
  const fleets = fleetsOf(all)
  const comparison = compare(results, experiment.variants, experiment.slo)
  const summary: Omit<Summary, 'answer'> = {
    schema: 1,
    id: run.id,
    command: run.command,
    startedAt: new Date(run.at).toISOString(),
    endedAt: end ? new Date(end.at).toISOString() : null,
    outcome,
    experiment,
    environment,
    ...setAsideOf(records),
    results,
    comparison,
    worth: worths(results, experiment),
    scaling: scalings(results, shape),
    ...(fleets.length && { fleets }),
    gate: gateOf(
      only(records, 'gate').at(-1) ?? null,
      results,
      experiment.variants,
      environment.calibration?.rate ?? null,
      experiment.enough !== undefined,
    ),
    ...faultsOf(records),
    // The values of an n8n that already ran are unknown, those of one without limits say nothing of their limits, and a
    // bare server has no values to install.
    recommendation:
      ['unknown', 'not enforced'].includes(run.environment.limits) || experiment.plan === 'server'
        ? null
        : recommend(results, experiment, comparison),
  }
  return answered(summary)
}

/** Loads of one rate. */
const steadyShapes = new Set<Experiment['load']['shape']>(['constant', 'mixed'])

function resultOf(gathered: Gathered, { load: { shape }, price, slo }: Experiment): Result {
  const { variant, workflow, values, steps, held, exits, failure } = gathered
  const samples = inTurn(gathered.samples)
  const observed = { samples, queue: gathered.queue }
  const tier = gathered.tier && inForce(gathered.tier, gathered.patches, values)
  const decisive = shape === 'constant' ? longest(steps) : steps
  const capacity = capacityOf(shape, decisive, { samples, slo, cores: coresIn(gathered.limits) })
  const soak = steadyShapes.has(shape) ? soakOf(decisive, observed) : null
  const monthly = isOwnPrice(price) ? gathered.cost : null
  return {
    variant,
    workflow,
    cell: gathered.cell,
    values,
    cost: gathered.cost,
    tier,
    capacity,
    ...(soak && { soak }),
    ...(shape === 'search' && capacity && { operating: operatingOf({ capacity, held, observed, monthly }) }),
    steps: steps.map(withoutDistributions),
    verdict: verdictOf(shape, decisive, capacity, failure),
    resources: resourcesOf(samples, steps, gathered.limits),
    peaks: peaksOf(samples, steps, gathered.limits),
    cpuPerRequest: cpuPerRequest(samples, steps),
    ...(steps.some(({ turn }) => turn !== undefined) && { turns: turnsOf(samples, steps) }),
    waiting: queueLength(gathered.queue, steps),
    exits,
    failure,
    ...(gathered.outside.length > 0 && { outside: together(gathered.outside, acceptedIn(gathered)) }),
    ...editorsOf(gathered, samples),
    ...schedulesOf(steps),
    ...(gathered.history && { history: gathered.history }),
    ...(gathered.realism.length > 0 && { realism: gathered.realism }),
    explanation: gathered.explained,
  }
}

/** That all processes may use together; null where one has no limit. */
function coresIn(limits: Gathered['limits']): number | null {
  const cores = Object.values(limits).map(({ cpu }) => cpu)
  return cores.length === 0 || cores.includes(null) ? null : cores.reduce<number>((sum, one) => sum + one!, 0)
}

/** As the summary has it: the record has the distributions. */
function withoutDistributions(step: Step): Step {
  const { distribution: _, parts, ...load } = step.load
  return { ...step, load: { ...load, ...(parts && { parts: parts.map(({ distribution: _, ...part }) => part) }) } }
}

/** In all loads that its workflows called others in, the warm-up too. */
const acceptedIn = ({ steps, held }: Gathered) => [...steps, ...held].reduce((sum, { load }) => sum + load.accepted, 0)

function setAsideOf(records: RunRecord[]): Pick<Summary, 'setAside'> {
  const setAside = only(records, 'set-aside').flatMap(({ values }) => values)
  return setAside.length ? { setAside } : {}
}

function faultsOf(records: RunRecord[]): Pick<Summary, 'faults' | 'untold'> {
  const cells = new Map(only(records, 'cell').map(({ cell, variant, workflow }) => [cell, { variant, workflow }]))
  const faults = only(records, 'fault').map(({ type: _, at: __, cell, ...fault }) => ({
    ...cells.get(cell)!,
    ...fault,
  }))
  const missing = only(records, 'fault-untold').map(({ cell, fault, message }) => ({
    ...cells.get(cell)!,
    fault,
    message,
  }))
  return { ...(faults.length && { faults }), ...(missing.length && { untold: missing }) }
}

/** A repeat that was cut short has not found its rate yet, and would lower the median of the others. */
function finishedRepeats(gathered: Gathered): Gathered {
  return gathered.finished.size === 0
    ? gathered
    : { ...gathered, steps: gathered.steps.filter(({ repeat }) => gathered.finished.has(repeat)) }
}

function mostOf(calibrations: { most?: number }[]): { most?: number } {
  const most = calibrations.flatMap((one) => one.most ?? [])
  return most.length ? { most: median(most) } : {}
}

function environmentOf(environment: Environment, records: RunRecord[]): Environment {
  const calibrations = only(records, 'calibration')
  const rates = calibrations.map(({ rate }) => rate)
  return {
    ...environment,
    lab: only(records, 'end').at(-1)?.lab ?? null,
    calibration: calibrations.length
      ? { rate: median(rates), p95: median(calibrations.map(({ p95 }) => p95)), rates, ...mostOf(calibrations) }
      : null,
    warnings: [...environment.warnings, ...only(records, 'warning').map(({ warning }) => warning)],
  }
}

function only<Type extends RunRecord['type']>(
  records: RunRecord[],
  type: Type,
): Array<Extract<RunRecord, { type: Type }>> {
  return records.filter((record): record is Extract<RunRecord, { type: Type }> => record.type === type)
}
