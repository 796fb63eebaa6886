import { planCost } from '../chart/cost.ts'
import { isolate } from '../chart/isolate/isolate.ts'
import type { Where } from '../chart/isolate/where.ts'
import { refuseStoresOfOthers } from '../chart/own-stores.ts'
import type { Plan } from '../chart/plan.ts'
import { manifests, render, valuesNamed, ValuesRefused } from '../chart/render.ts'
import { locationText, usage, type Location } from '../lib/errors.ts'
import { nameOf } from '../lib/figures.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import type { Workflow } from '../workload/open.ts'
import { packagesOf } from '../n8n/exported.ts'
import type { SetAside } from '../model/environment.ts'
import type { Experiment, Values } from '../model/experiment.ts'
import { type Traffic, trafficOf } from './traffic.ts'

/** The plan of a cell's values. */
interface Planned {
  plan: Plan
  /** What of the values the plan does not have, because it would reach beyond the run. */
  setAside: SetAside[]
}

/** One variant under one workflow, or a mix of them, in one cell of the matrix, ready to start. */
export interface Cell extends Planned {
  number: number
  variant: string
  traffic: Traffic
  matrix: Values
  values: Values
  /** Null if part of it has no limit. */
  cost: number | null
}

export interface CellsAsked {
  experiment: Experiment
  workflows: Workflow[]
  /** Where the plans will run. */
  where?: Where
  /** Makes the plan from values, if the chart does not. */
  plan?: (values: Values) => Promise<Plan>
  /** Every cell needs a price. */
  priced?: boolean
  /** Where the user gave a value of a variant. */
  locate?: (path: string[], variant: string) => Location | null
}

/**
 * Renders every cell before anything starts, so that a refused value costs no measuring time. Cells whose values are
 * the same share one rendering.
 */
export async function planCells({ experiment, workflows, where, plan, priced, locate }: CellsAsked): Promise<Cell[]> {
  const there = { ...where, packages: packagesOf(workflows) }
  const rendered = new Map<string, Promise<Planned>>()
  const planned = (values: Values, traffic: Traffic): Promise<Planned> => {
    const given = mergeValues(experiment.history ? unpruned : {}, values, needs(traffic))
    const key = JSON.stringify(given)
    const make = async () => (plan ? othersPlan(plan, given) : refuseAsGiven(values).then(() => planOf(given, there)))
    const known = rendered.get(key) ?? make()
    rendered.set(key, known)
    return known
  }
  const cells: Cell[] = []
  for (const { variant, matrix, values } of combinations(experiment))
    for (const traffic of trafficOf(experiment.load, workflows)) {
      const own = await planned(values, traffic).catch((error: unknown) => {
        throw locate ? located(error, variant, locate) : error
      })
      const cell = { variant, traffic, matrix, values, ...own, cost: planCost(own.plan, experiment.price) }
      if (priced) refuseWithoutPrice(cell)
      cells.push({ number: cells.length, ...cell })
    }
  return cells
}

/** The chart's refusal, where the first of the refused values was given, or the map that lacks it. */
function located(error: unknown, variant: string, locate: NonNullable<CellsAsked['locate']>): unknown {
  if (!(error instanceof ValuesRefused)) return error
  const found = valuesNamed(error.message).flatMap((path) =>
    path.map((_, cut) => locate(path.slice(0, path.length - cut), variant)),
  )
  return valuesRefused(found.find((place) => place !== null) ?? locate([], variant)!, error.message)
}

/** The values of each cell. */
export const combinations = ({ variants, matrix: all, base }: Experiment) =>
  variants.flatMap(({ name, values }) =>
    product(all).map((matrix) => {
      const inCell = Object.entries(matrix).map(([path, value]) => atPath(path, value))
      return { variant: name, matrix, values: mergeValues(base, values, ...inCell) }
    }),
  )

/** Of what renders the chart for no run: values that the chart refuses are at that place. */
export const refusedAt = (file: string) => (error: unknown) => {
  throw error instanceof ValuesRefused ? valuesRefused({ file, line: null }, error.message) : error
}

export const valuesRefused = (location: Location, said: string) =>
  usage(
    'values-refused',
    `${locationText(location)}: These values are refused.\n${said}`,
    'Change the value it names; charts/n8n-tuned/VALUES.md lists what each accepts.',
  )

function refuseWithoutPrice({ cost, variant, matrix }: Omit<Cell, 'number'>): void {
  if (cost !== null) return
  const cell = nameOf({ variant, cell: matrix })
  throw usage(
    'no-price',
    `Expected CPU and memory limits for every container, since they make the price, got none for some of ${cell}.`,
    'Set resources.limits, or a price of 0 for what is to have no limit.',
  )
}

/** Unless values say otherwise: n8n would keep 10,000 of a history. */
const unpruned = { role: { extraEnv: { EXECUTIONS_DATA_PRUNE_MAX_COUNT: '0' } } }

/** Values that the measurement itself needs from the chart, the same for every variant. */
function needs({ parts }: Traffic): Values {
  return {
    monitoring: { enabled: true },
    ...(parts.some(({ workflow }) => workflow.needsNodes) && { loadtest: { enabled: true } }),
  }
}

/** Every combination of the matrix's values; a single empty one without a matrix. */
export function product(matrix: Record<string, unknown[]>): Values[] {
  return Object.entries(matrix).reduce<Values[]>(
    (cells, [path, values]) => cells.flatMap((cell) => values.map((value) => ({ ...cell, [path]: value }))),
    [{}],
  )
}

async function othersPlan(plan: (values: Values) => Promise<Plan>, values: Values): Promise<Planned> {
  return { plan: await plan(values), setAside: [] }
}

export async function planOf(values: Values, where: Where = {}): Promise<Planned> {
  const isolated = isolate(values, where)
  const plan = await render(isolated.values)
  refuseStoresOfOthers(plan)
  return { plan, setAside: isolated.setAside }
}

/** Asks the chart about values as they were given, where a run does not have all of them. */
export async function refuseAsGiven(values: Values): Promise<void> {
  if (isolate(values).setAside.length) await manifests(values)
}
