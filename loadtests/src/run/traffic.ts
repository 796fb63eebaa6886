import { trafficNames, type Experiment } from '../model/experiment.ts'
import { weightsOf } from '../model/load.ts'
import type { FoundWarning } from '../model/warning.ts'
import type { Workflow } from '../workload/open.ts'
import type { Called } from '../n8n/executions.ts'
import { keptOf, type Settings } from '../n8n/settings.ts'
import { beginsByItself, holdsHeaders } from '../n8n/triggers.ts'

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

/** How the executions are known that a load begins, whatever else n8n executes meanwhile. */
export const begunBy = ({ parts }: Traffic, settings: Settings | null, mark: string) => ({
  called: parts.map(({ workflow: { id, imports } }): Called => {
    const { settings: own, nodes = [] } = imports.at(-1) ?? {}
    return { id, kept: keptOf(settings ?? {}, own), marked: holdsHeaders(nodes) }
  }),
  mark,
})

/** Whether nothing but the load begins executions in an n8n that the lab started: no sub-workflow and no schedule. */
export const beginsAlone = ({ parts }: Traffic): boolean =>
  parts.every(({ workflow: { imports } }) => imports.length < 2 && !imports[0]?.nodes.some(beginsByItself))

/** Whether any of its workflows has a node whose code a task runner runs. */
export const hasCode = ({ parts }: Traffic): boolean =>
  parts.some(({ workflow }) => workflow.imports.some(({ nodes = [] }) => nodes.some(({ type }) => type === code)))
const code = 'n8n-nodes-base.code'

/** What the result will miss of its executions; empty where nothing will be missing. */
export function missingOf({ parts }: Traffic, settings: Settings | null): FoundWarning[] {
  if (!settings) return []
  const hidden = parts.filter(({ workflow: { imports } }) => {
    const { success, error } = keptOf(settings, imports.at(-1)?.settings)
    return !success && !error
  })
  return hidden.map(({ workflow: { name } }) => ({ code: 'outcome-not-kept', workflow: name }))
}
