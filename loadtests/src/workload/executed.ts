import { problemOf, unreadable, usage } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { readText } from '../lib/read.ts'
import { handedOnIn, type AllHandedOn } from '../n8n/execution-data.ts'
import type { Exported } from '../n8n/exported.ts'
import { triggersOf } from '../n8n/address.ts'
import { mainTrigger } from './copy-with-webhook.ts'

const how =
  'Ask your n8n for one with its data: GET /api/v1/executions/ID?includeData=true, with its API key in the header '
  + 'X-N8N-API-KEY.'

/** An execution of one's own: what was sent, and what the services answered. */
export async function readExecution(file: string): Promise<AllHandedOn> {
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, problemOf(error))
  })
  let executed: AllHandedOn | null = null
  try {
    executed = handedOnIn(parseJson(text))
  } catch (error) {
    throw bad(file, `no JSON: ${(error as Error).message}`)
  }
  if (!executed) throw bad(file, 'one without the data of its nodes')
  if (!executed.size) throw bad(file, 'one in which no node handed anything on')
  return executed
}

const bad = (file: string, got: string) =>
  usage('bad-execution', `${file}: Expected an execution of n8n with its data, got ${got}.`, how)

/** Its trigger gets what it was sent then, in place of what is pinned on it. */
export function withSent(workflow: Exported, executed: AllHandedOn, file: string): Exported {
  const known = workflow.nodes.filter(({ name }) => executed.has(name))
  if (!known.length)
    throw usage(
      'execution-of-another',
      `${file}: Expected an execution of "${workflow.name}", got one with other nodes: `
        + `${[...executed.keys()].slice(0, 3).join(', ')}.`,
      'Give an execution of that workflow, or the workflow as it was then.',
    )
  const starts = [...triggersOf(workflow).map(({ node }) => node), mainTrigger(workflow)?.name]
  const sent = starts.flatMap((name) => {
    const items = name === undefined ? undefined : executed.get(name)?.items
    return items ? [[name, items.map((json) => ({ json: (json ?? {}) as Record<string, unknown> }))] as const] : []
  })
  return sent.length ? { ...workflow, pinData: { ...workflow.pinData, ...Object.fromEntries(sent) } } : workflow
}
