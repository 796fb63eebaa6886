import { until } from '../../loadtests/src/lib/await.ts'
import { executionsOf, signIn, type Session } from './act.ts'
import type { Case } from './case.ts'
import type { Client, Seen } from './client.ts'
import { unpackData } from './observe/unpack.ts'
import type { Side } from './side.ts'
import type { Workflow } from './workflow.ts'

/** The outcome of a case on one side. */
export interface Course {
  seen: Seen[]
  /** Why the case did not do what it was written for. */
  failure?: string
}

/** By the workflow's id: why n8n did not publish it. */
type Refused = Map<string, string>

/** Publishes all, then runs one case after the other, so that executions are made in the same order on both sides. */
export async function drive(side: Side, all: Case[]): Promise<(cases: Case[]) => Promise<Record<string, Course>>> {
  const session = await signIn(side)
  const refused = await publishAll(
    side,
    session.client,
    all.flatMap(({ workflows }) => workflows).filter((one) => isPublished(one, side.version)),
  )
  return async (cases) => {
    const courses: Record<string, Course> = {}
    for (const one of cases) courses[one.name] = await run(side, session, one, refused)
    return courses
  }
}

async function run(
  side: Side,
  { client, recordInto }: Session,
  { workflows, act, ends = ['success'] }: Case,
  refused: Refused,
): Promise<Course> {
  const seen: Seen[] = []
  recordInto(seen)
  const failure = workflows.map(({ id }) => refused.get(id)).find(Boolean)
  if (failure) return { seen, failure }
  try {
    await act(client)
    const ids = workflows.map(({ id }) => id)
    let got: string[] = []
    const isOver = async () => {
      got = (await executionsOf(side, ids)).map(({ status }) => status)
      return String(got) === String(ends)
    }
    if (await until(isOver, { timeout: 30_000, every: 25 })) return { seen }
    throw new Error(`Expected executions that end in ${ends.join(', ') || 'nothing'}, got ${got.join(', ') || 'none'}`)
  } catch (error) {
    return { seen, failure: [(error as Error).stack, ...(await errorsOf(side, workflows))].join('\n') }
  }
}

/** What n8n has noted of executions that failed. */
async function errorsOf({ database }: Side, workflows: Workflow[]): Promise<string[]> {
  const ids = workflows.map(({ id }) => id)
  const rows = (await database.rows('execution_data')).filter(({ workflowData }) =>
    ids.some((id) => JSON.stringify(workflowData).includes(`id\\":\\"${id}\\"`)),
  )
  const errors = rows.map(
    ({ data }) =>
      (unpackData(data) as { resultData?: { error?: { message: string; description?: string } } }).resultData?.error,
  )
  return errors.map((error) => `n8n says: ${error?.message} ${error?.description ?? ''}`)
}

/** n8n 1 calls workflows that are not active, and refuses to activate what nothing but n8n itself can start. */
function isPublished({ publish, nodes }: Workflow, version: string): boolean {
  return (
    publish
    && (!version.startsWith('1.') || !nodes.some(({ type }) => /executeWorkflowTrigger|errorTrigger/.test(type)))
  )
}

/** n8n 2 answers before it has published, and does so every few seconds. */
async function publishAll({ database, log }: Side, client: Client, workflows: Workflow[]): Promise<Refused> {
  const refused: Refused = new Map()
  const isCalled = ({ nodes }: Workflow) => nodes.some(({ type }) => type === 'n8n-nodes-base.webhook')
  // First those that others call, without which n8n publishes none of these.
  for (const { id } of [...workflows].sort((a, b) => Number(isCalled(a)) - Number(isCalled(b))))
    await publish(client, id).catch((error: Error) => refused.set(id, error.message))
  const expected = workflows
    .filter(isCalled)
    .map(({ id }) => id)
    .filter((id) => !refused.has(id))
  let missing = expected
  const areThere = async () => {
    const rows = await database.rows('webhook_entity')
    missing = expected.filter((id) => !rows.some(({ workflowId }) => workflowId === id))
    return missing.length === 0
  }
  if (!(await until(areThere, { timeout: 60_000, every: 100 })))
    throw new Error(`Expected webhooks of ${missing.join(', ')} within 60 s, got none:\n${log().slice(-2000)}`)
  return refused
}

export async function publish(client: Client, id: string): Promise<void> {
  const { json } = await client.rest('GET', `/workflows/${id}`)
  await client.rest('POST', `/workflows/${id}/activate`, { versionId: json.data.versionId })
}
