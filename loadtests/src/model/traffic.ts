import type { Arrivals, Experiment, Load } from './profile/experiment.ts'
import type { Workflow } from '../workload/workflow.ts'

/** What is loaded at once and has its own result: a workflow, or several in a mix. */
export interface Traffic {
  name: string
  parts: { workflow: Workflow; weight: number }[]
}

/** In a mix: how often each workflow is called, compared with the others. */
export const weightsOf = (load: Load): Record<string, number> | undefined =>
  'weights' in load ? load.weights : undefined

/** How its requests arrive, to hand on to another open load. */
export const arrivalsOf = (load: Load): { arrivals?: Arrivals } =>
  load.shape === 'closed' || load.arrivals === undefined ? {} : { arrivals: load.arrivals }

const mixed = 'mixed-traffic'

export function trafficOf(load: Experiment['load'], workflows: Workflow[]): Traffic[] {
  const weights = weightsOf(load)
  if (!weights) return workflows.map((workflow) => ({ name: workflow.name, parts: [{ workflow, weight: 1 }] }))
  return [{ name: mixed, parts: workflows.map((workflow) => ({ workflow, weight: weights[workflow.name] ?? 1 })) }]
}

/** The names of an experiment's traffic. */
export const trafficNames = ({ load, workflows }: Pick<Experiment, 'load' | 'workflows'>): string[] =>
  weightsOf(load) ? [mixed] : workflows
