import { costOf } from '../chart/cost.ts'
import type { Where } from '../chart/isolate/where.ts'
import type { Plan } from '../chart/plan.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { packagesOf, type Workflow } from '../workload/workflow.ts'
import { planOf, type Planned } from './plan.ts'
import type { Experiment, Values } from '../model/experiment.ts'
import { type Traffic, trafficOf } from '../workload/traffic.ts'

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

/** What the cells of a run are made from. */
export interface CellsOrder {
  experiment: Experiment
  workflows: Workflow[]
  /** Where the plans will run. */
  where?: Where
  /** Makes the plan from values, if the chart does not. */
  plan?: (values: Values) => Promise<Plan>
}

type Planner = (values: Values, traffic: Traffic) => Promise<Planned>

function plannerOf({ plan, workflows, where }: CellsOrder): Planner {
  if (plan) return async (values) => ({ plan: await plan(values), setAside: [] })
  const packages = packagesOf(workflows)
  return (values, traffic) => planOf(mergeValues(values, needs(traffic)), { ...where, packages })
}

/** Renders every cell before anything starts, so that a refused value costs no measuring time. */
export async function planCells(order: CellsOrder): Promise<Cell[]> {
  const { experiment, workflows } = order
  const makePlan = plannerOf(order)
  const cells: Cell[] = []
  for (const variant of experiment.variants) {
    for (const matrix of product(experiment.matrix)) {
      const values = mergeValues(
        experiment.base,
        variant.values,
        ...Object.entries(matrix).map(([path, value]) => atPath(path, value)),
      )
      for (const traffic of trafficOf(experiment.load, workflows)) {
        const planned = await makePlan(values, traffic)
        cells.push({
          number: cells.length,
          variant: variant.name,
          traffic,
          matrix,
          values,
          ...planned,
          cost: costOf(planned.plan, experiment.price),
        })
      }
    }
  }
  return cells
}

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
