import type { Bridge } from '../model/bridge.ts'
import { newestExecution, rewrite } from '../n8n/rewrite.ts'
import type { Running } from '../n8n/running.ts'
import { givenBy, isMade, toBridge, withBridges, type Workflow } from '../workload/open.ts'
import { coverageOf, refusalOfFirst, rehearsed, remedyOf, type FirstAnswer, type FirstRun } from './rehearse.ts'

/**
 * A first execution that fails is no end: another node stands in for the one that failed, and the workflow is executed
 * again. A figure of most of it is worth more than none.
 */

interface Order {
  signal: AbortSignal
  /** No node may be replaced. */
  strict?: boolean
  /** Told before each try: the workflows that are tried again, each with the node that another now stands in for. */
  onTry?: (tried: { workflow: string; node: string }[], number: number) => void
}

/** Nodes of a workflow that may be replaced, and milliseconds that all tries may take. */
const most = { tries: 12, ms: 30_000 }

/** What became of the first executions; those that failed are tried again, with one node more replaced each time. */
export async function firstRuns(
  workflows: Workflow[],
  { settings, ask }: Pick<Running, 'settings' | 'ask'>,
  answers: FirstAnswer[],
  { signal, strict = false, onTry = () => {} }: Order,
): Promise<FirstRun[]> {
  // Without its database, what n8n answered is known alone.
  const first = settings
    ? await rehearsed(workflows, settings, signal)
    : workflows.map((workflow) => coverageOf(workflow, []))
  signal.throwIfAborted()
  const runs = workflows.map((workflow, index): FirstRun => {
    const answer = answers.find(({ id }) => id === workflow.id)
    const bridges = workflow.made?.bridged ?? []
    const coverage = coverageOf(workflow, first[index]!.executions ?? [], namesOf(bridges))
    return { workflow, bridges, coverage, refusal: refusalOfFirst(workflow, coverage, answer) }
  })
  if (!settings || !ask || strict) return runs
  const until = Date.now() + most.ms
  for (let number = 1; number <= most.tries && Date.now() < until; number++) {
    const tried = runs.flatMap((run, index) => {
      const bridge = run.refusal && bridgeOf(run, workflows[index]!)
      const others = run.bridges.filter(({ node }) => node !== bridge?.node)
      return bridge ? [{ index, bridges: [...others, bridge] }] : []
    })
    if (tried.length === 0) break
    onTry(
      tried.map(({ index, bridges }) => ({ workflow: workflows[index]!.name, node: bridges.at(-1)!.node })),
      number,
    )
    const mended = tried.map(({ index, bridges }) => withBridges(workflows[index]!, bridges))
    await rewrite(
      settings,
      mended.map(({ imports }) => imports.at(-1)!),
    )
    const before = await newestExecution(settings)
    const said = await Promise.all(mended.map((one) => ask(one, signal)))
    const again = await rehearsed(mended, settings, signal, before)
    signal.throwIfAborted()
    for (const [at, { index, bridges }] of tried.entries()) {
      const workflow = mended[at]!
      const coverage = coverageOf(workflows[index]!, again[at]!.executions ?? [], namesOf(bridges))
      const answer = said[at] && { id: workflow.id, ...said[at] }
      runs[index] = { workflow, bridges, coverage, refusal: refusalOfFirst(workflow, coverage, answer ?? undefined) }
    }
  }
  return runs
}

const namesOf = (bridges: Bridge[]) => bridges.map(({ node }) => node)

/** What would stand in for the node at which it failed; null where nothing can, or something does already. */
function bridgeOf({ workflow, bridges, coverage }: FirstRun, original: Workflow): Bridge | null {
  const main = original.imports.at(-1)!
  const failed = coverage.executions?.find(({ status }) => status !== 'success' && status !== 'waiting')
  if (!failed) return null
  const { error } = failed
  const last = failed.nodes.findLast((node) => node.error !== null)?.name ?? failed.nodes.at(-1)?.name
  const names = [error?.node, last].filter((name) => name !== null && name !== undefined)
  for (const name of names) {
    const node = toBridge(name, main)
    // What took the place of one that this n8n does not have may fail in its turn.
    const isTried = (one: Bridge) => one.node === node?.name && !isMade(one, original)
    if (!node || bridges.some(isTried)) continue
    const own = failed.nodes.find((one) => one.name === node.name)?.error
    const said = [error?.message ?? own ?? 'It did not end.', error?.description ?? ''].filter(Boolean).join(' ')
    return {
      node: node.name,
      said: said.replaceAll(/\s+/g, ' ').trim().slice(0, 300),
      gives: givenBy(node.name, original).gives,
      remedy: remedyOf(workflow, error && { ...error, node: node.name }),
    }
  }
  return null
}
