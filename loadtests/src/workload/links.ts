import { usage } from '../lib/errors.ts'
import type { Exported, ExportedNode } from '../n8n/exported.ts'

export interface Link {
  what: string
  id: string
}

/** A workflow and its sub-workflows. The sub-workflows come first, because n8n publishes them first. */
export function withLinked(
  workflow: Exported,
  all: Exported[],
  where: string,
  stub?: (link: Link) => Exported,
): Exported[] {
  const found = new Map<string, Exported>()
  const underWay = new Set<string>()
  const visit = (one: Exported) => {
    if (underWay.has(one.id)) return
    underWay.add(one.id)
    for (const { what, id } of linksOf(one)) {
      const linked = all.find((other) => other.id === id) ?? stub?.({ what, id })
      if (!linked)
        throw usage(
          'missing-workflow',
          `${where}: Expected ${what} of ${one.name}, the workflow with the id ${id}, beside it, got none.`,
          'Export both into one file or folder: n8n export:workflow --all --separate --output=folder/, then name '
            + `folder/#${one.name}.`,
        )
      visit(linked)
    }
    found.set(one.id, one)
  }
  visit(workflow)
  return [...found.values()]
}

/** Sub-workflows and error workflows that are named by id; only n8n can resolve a name from an expression. */
function linksOf({ nodes, settings }: Exported): Link[] {
  const called = nodes.filter(callsWorkflow).flatMap((node) => {
    const id = idIn(node.parameters?.workflowId)
    return id ? [{ what: `the sub-workflow of "${node.name}"`, id }] : []
  })
  const onError = settings?.errorWorkflow
  return onError && onError !== 'DEFAULT' ? [...called, { what: 'the error workflow', id: String(onError) }] : called
}

/** Ids of those that another one of them calls. */
export const linkedIn = (all: Exported[]): Set<string> =>
  new Set(
    all.flatMap((one) =>
      linksOf(one)
        .filter(({ id }) => id !== one.id)
        .map(({ id }) => id),
    ),
  )

const callers = new Set([
  'n8n-nodes-base.executeWorkflow',
  '@n8n/n8n-nodes-langchain.toolWorkflow',
  '@n8n/n8n-nodes-langchain.retrieverWorkflow',
])

const callsWorkflow = ({ type, disabled, parameters = {} }: ExportedNode) =>
  callers.has(type) && !disabled && (parameters.source ?? 'database') === 'database'

function idIn(given: unknown): string | null {
  const value = typeof given === 'object' && given !== null ? (given as { value?: unknown }).value : given
  const id = value === undefined || value === null ? '' : String(value)
  return id && !id.startsWith('=') ? id : null
}

/**
 * A workflow that calls another which is not there, and can be called itself, calls itself: the editor gives a workflow
 * that is imported a new id.
 */
export function callingItself(workflow: Exported, all: Exported[]): Exported {
  const canBeCalled = workflow.nodes.some(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger')
  if (!canBeCalled) return workflow
  const isThere = (id: string) => all.some((other) => other.id === id)
  const nodes = workflow.nodes.map((node) => {
    if (!callsWorkflow(node)) return node
    const id = idIn(node.parameters?.workflowId)
    if (id === null || isThere(id)) return node
    const given = node.parameters!.workflowId
    const own = typeof given === 'object' ? { ...given, value: workflow.id } : workflow.id
    return { ...node, parameters: { ...node.parameters, workflowId: own } }
  })
  return { ...workflow, nodes }
}
