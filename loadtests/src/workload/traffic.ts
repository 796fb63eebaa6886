import { trafficNames, type Experiment } from '../model/experiment.ts'
import { weightsOf } from '../model/load.ts'
import type { Workflow } from './workflow.ts'

/** What is loaded at once and has its own result: a workflow, or several in a mix. */
export interface Traffic {
  name: string
  parts: { workflow: Workflow; weight: number }[]
}

export function trafficOf(load: Experiment['load'], workflows: Workflow[]): Traffic[] {
  const names = trafficNames({ load, workflows: workflows.map(({ name }) => name) })
  const weights = weightsOf(load)
  if (!weights) return workflows.map((workflow, index) => ({ name: names[index]!, parts: [{ workflow, weight: 1 }] }))
  return [{ name: names[0]!, parts: workflows.map((workflow) => ({ workflow, weight: weights[workflow.name] ?? 1 })) }]
}
