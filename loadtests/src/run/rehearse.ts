import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalid, type LabError } from '../lib/errors.ts'
import { until } from '../lib/await.ts'
import { fileName } from '../lib/names.ts'
import { executionsOf, isOver, type ExecutionData, type ExecutionError } from '../n8n/execution-data.ts'
import { cannotHold, fittingFor, tooSlowFor } from '../judge/objective.ts'
import { latency } from '../lib/figures.ts'
import type { OutsideCount } from '../model/outside.ts'
import type { Bridge, Remedy } from '../model/bridge.ts'
import type { RunRecord } from '../model/record.ts'
import type { Realism } from '../model/result.ts'
import { remedyInWords } from '../report/remedy-words.ts'
import type { Importable } from '../n8n/exported.ts'
import { mainPathOf, outputsOf, reachedFrom, subNodesOf } from '../n8n/path.ts'
import { triggersOf } from '../n8n/address.ts'
import type { Workflow } from '../workload/open.ts'

/** How much of a workflow its first executions ran. */
export interface Rehearsed {
  workflow: string
  /** Null where n8n kept nothing of them, or they did not end in time. */
  executions: ExecutionData[] | null
  /** Nodes that n8n can run, and those that ran. */
  nodes: string[]
  ran: string[]
  /** Branches that led nowhere: an output of a node that ran and handed on nothing, as `node → the next node`. */
  untaken: string[]
  /** The last node of the main path ran. */
  ended: boolean
  /** The nodes of the main path, with their models and parsers, and which of several branches it takes. */
  path: { nodes: string[]; ran: string[]; end: string | null; branches: string[] }
  /** Milliseconds of the first execution that succeeded, and those of them in which it waited for services. */
  took: number | null
  services: number | null
}

export const firstRequestFailed = 'first-request-failed'

/** Milliseconds: a workflow with several models in a row takes its time, but each execution has its row at once. */
const patience = { end: 90_000, begin: 10_000 }

/** What became of the first executions of each workflow, which begin when the lab looks whether its webhooks answer. */
export async function rehearsed(
  workflows: Workflow[],
  settings: Record<string, string>,
  signal: AbortSignal,
  after = 0,
): Promise<Rehearsed[]> {
  const ids = workflows.map(({ id }) => id)
  const asked = performance.now()
  let known: ExecutionData[] = []
  await until(
    async () => {
      known = await executionsOf(settings, ids, after)
      // An n8n that keeps no executions shows none, however long one waits.
      return known.length > 0 ? known.every(isOver) : performance.now() - asked > patience.begin
    },
    { timeout: patience.end, every: 200, signal },
  )
  const kept = known.filter(({ status }) => status !== 'discarded')
  return workflows.map((workflow) =>
    coverageOf(
      workflow,
      kept.filter((one) => one.workflow === workflow.id),
    ),
  )
}

/** `bridged`: nodes that another stood in for. */
export function coverageOf(
  { name, imports }: Pick<Workflow, 'name' | 'imports'>,
  executions: ExecutionData[],
  bridged: string[] = [],
): Rehearsed {
  const main = imports.at(-1)!
  const starts = triggersOf(main).map(({ node }) => node)
  const withSubs = (name: string, counts?: (kind: string) => boolean): string[] =>
    subNodesOf(name, main, counts).flatMap((one) => [one, ...withSubs(one, counts)])
  const enabled = new Set(main.nodes.filter(({ disabled }) => !disabled).map((node) => node.name))
  const all = (names: Iterable<string>, counts?: (kind: string) => boolean) =>
    [...new Set([...names].flatMap((one) => [one, ...withSubs(one, counts)]))].filter((one) => enabled.has(one))
  const counted = all(reachedFrom(main, starts))
  // A node at which an execution failed did not run through.
  const ran = new Map(
    executions.flatMap(({ nodes: own, status, error }) =>
      own
        .filter(({ name: node }) => !bridged.includes(node) && (status === 'success' || error?.node !== node))
        .map((node) => [node.name, node] as const),
    ),
  )
  const reached = new Set(executions.flatMap(({ nodes: own }) => own.map((node) => node.name)))
  const untaken = [...ran.values()].flatMap(({ name: from, items }) =>
    outputsOf(from, main).flatMap((ends, index) =>
      (ends ?? [])
        .filter((end) => !(items[index]! > 0) && !reached.has(end.node))
        .map((end) => `${from} → ${end.node}`),
    ),
  )
  const { nodes: onPath, end, branches } = mainPathOf(main, starts)
  // Which of its tools a model calls is its own choice.
  const path = all(onPath, (kind) => kind !== 'ai_tool')
  const whole = executions.find(({ status }) => status === 'success')
  return {
    workflow: name,
    executions: executions.length ? executions : null,
    nodes: counted,
    ran: counted.filter((one) => ran.has(one)),
    untaken,
    ended: end === null || !enabled.has(end) || ran.has(end) || (bridged.includes(end) && reached.has(end)),
    path: { nodes: path, ran: path.filter((one) => ran.has(one)), end, branches },
    took: whole?.took ?? null,
    services: whole ? timeInServices(whole, main) : null,
  }
}

/** Nodes that call a service: they have a credential, or an address. */
export const callsService = ({ type, credentials = {} }: Importable['nodes'][number]) =>
  Object.keys(credentials).length > 0 || /\.(httpRequest|toolHttpRequest|rssFeedRead)/.test(type)

/** Milliseconds in which a node that calls a service ran; several at once count once. */
export function timeInServices({ nodes }: ExecutionData, workflow: Importable): number {
  const calling = new Set(workflow.nodes.filter(callsService).map(({ name }) => name))
  const spans = nodes.filter(({ name }) => calling.has(name)).flatMap(({ spans }) => spans)
  let until = -Infinity
  let sum = 0
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}

/** What a webhook answered that is there, and did not answer with success. */
export interface FirstAnswer {
  id: string
  status: number
  text: string
}

/** Why nothing can be measured: the first request was refused, or its execution failed. Null where it went well. */
export function refusalOfFirst(
  workflow: Workflow,
  { executions, ran, nodes }: Rehearsed,
  answer: FirstAnswer | undefined,
): LabError | null {
  const failed = executions?.find(({ status }) => status !== 'success' && status !== 'waiting')
  if (!failed && !answer) return null
  const error = failed?.error
  const said = answer && !error ? ` n8n answered ${answer.status}: ${wordsOf(answer.text)}.` : ''
  const place = error?.node ? ` at the node "${error.node}"` : ''
  const told = error ? `: ${sentence(error.message)}${error.description ? ` ${sentence(error.description)}` : ''}` : '.'
  const open = failed && !isOver(failed) ? ' It had not ended after 90 s.' : ''
  return invalid(
    firstRequestFailed,
    `${workflow.name}: the execution of its first request failed${place}${told}${said}${open}`
      + (executions && nodes.length ? ` ${ran.length} of its ${nodes.length} nodes ran.` : ''),
    remedyInWords(remedyOf(workflow, error ?? null, answer)),
  )
}

const sentence = (text: string) => `${text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`

function wordsOf(text: string): string {
  try {
    const { message, hint } = JSON.parse(text) as { message?: string; hint?: string }
    return [message, hint].filter(Boolean).join(' ') || text.slice(0, 200)
  } catch {
    return text.slice(0, 200) || 'nothing'
  }
}

/** What to give: the field of the request that the failed node reads, where it reads one. */
export function remedyOf(
  { imports, made }: Pick<Workflow, 'imports' | 'made'>,
  error: ExecutionError | null,
  answer?: Pick<FirstAnswer, 'status'>,
): Remedy {
  const message = error?.message ?? ''
  if (answer?.status === 404) return { code: 'log' }
  if (/access to env vars denied/i.test(message)) return { code: 'environment' }
  const [, module] = /Module '([^']+)' is disallowed/.exec(message) ?? []
  if (module) return { code: 'module', name: module }
  if (/GraphicsMagick/.test(message)) return { code: 'graphics' }
  if (/Python runner unavailable/.test(message)) return { code: 'python' }
  const main = imports.at(-1)!
  const node = main.nodes.find(({ name }) => name === error?.node)
  if (!node) return { code: 'request' }
  if (ofItself.test(`${message} ${error?.description}`)) return { code: 'correct-node', node: node.name }
  const source = callsService(node) ? node.name : sourceOf(node.name, main)
  if (source !== null) return { code: 'answer', node: node.name, source }
  const text = JSON.stringify(node.parameters ?? {})
  const read = [...text.matchAll(/(?:body|query|headers|params|json)(?:\.|\[\\*['"])([\w-]+)/g)].map(
    ([, name]) => name!,
  )
  const [only, ...others] = made?.requests ?? []
  const lines = JSON.stringify(others.length ? [only, ...others] : (only ?? {}), null, 2).split('\n')
  for (const name of read) {
    const line = lines.findIndex((one) => one.trimStart().startsWith(`"${name}":`))
    if (line >= 0) return { code: 'request-field', name, line: line + 1, text: lines[line]!.trim() }
  }
  return { code: 'request' }
}

/** What n8n says of a node that lacks something itself. */
const ofItself = new RegExp(
  [
    String.raw`columns\.schema|parameter "|required parameter|is only supported when|not supported`,
    String.raw`is not defined by "exports"|referenced node doesn't exist`,
    String.raw`no (sheet|table|model|prompt)\b.* (selected|specified)`,
    String.raw`method but no "execute" method|not a valid (node|expression)|invalid syntax`,
  ].join('|'),
  'i',
)

/** The nearest node before it that asked a service; null where what it gets comes from the request. */
function sourceOf(name: string, workflow: Importable): string | null {
  const seen = new Set([name])
  for (const one of seen)
    for (const node of workflow.nodes) {
      if (seen.has(node.name) || !outputsOf(node.name, workflow).some((ends) => ends?.some((end) => end.node === one)))
        continue
      if (callsService(node)) return node.name
      seen.add(node.name)
    }
  return null
}

/** How a workflow ran first. */
export interface FirstRun {
  /** As n8n has it now. */
  workflow: Workflow
  bridges: Bridge[]
  coverage: Rehearsed
  /** Why it cannot be measured; null where it can. */
  refusal: LabError | null
}

/**
 * Of the first executions, before any load: throws n8n's own error where one failed; returns what a reader has to know
 * of the rest.
 */
export async function realismOf(
  runs: FirstRun[],
  seesDatabase: boolean,
  outside: () => Promise<OutsideCount | null> | null,
): Promise<Realism[]> {
  const refusal = runs.map((run) => run.refusal).find((one) => one !== null)
  if (refusal) throw seesDatabase ? refusal : invalid(refusal.code, refusal.message, whereItShows)
  const [only] = runs
  const first = only && runs.length === 1 ? await firstOf(only, outside) : {}
  return runs
    .filter(({ coverage: { executions } }) => executions?.some(({ nodes }) => nodes.length > 0))
    .map(({ coverage: { workflow, nodes, ran, untaken, ended, path }, bridges }) => ({
      workflow,
      nodes: nodes.length,
      ran: ran.length,
      untaken,
      ended,
      path: { nodes: path.nodes.length, ran: path.ran.length, end: path.end, branches: path.branches },
      ...(bridges.length > 0 && { bridged: bridges }),
      ...first,
    }))
}

const whereItShows =
  'Which node failed is in n8n’s database, out of reach here: add --set database.type=embedded, or execute it once '
  + 'on this machine with --dry-run and without --target.'

/** The nodes of a workflow that another stands in for, as an earlier cell of the run found them. */
export const bridgesIn = (records: RunRecord[], workflow: string): Bridge[] =>
  records
    .flatMap((record) => (record.type === 'rehearsed' ? record.workflows : []))
    .find((one) => one.workflow === workflow && one.bridged !== undefined)?.bridged ?? []

/** Throws where the services of a workflow alone take longer than the objective: no load could meet it. */
export function refuseObjective(realism: Realism[], objective: number): void {
  const found = tooSlowFor(realism, objective)
  if (!found) return
  const { took, services } = found.first
  const fits = fittingFor(found.first)
  throw invalid(
    cannotHold,
    `${found.workflow}: one request alone takes ${latency(took)}, of it ${latency(services)} waiting for services, and `
      + `the objective is p95 ≤ ${latency(objective)}: it cannot hold, whatever n8n does. `
      + `p95 ≤ ${latency(fits)} would fit.`,
    `Give --slo p95=${fits}ms, or make the services answer sooner (outside.rules).`,
  )
}

/** Milliseconds until its caller has an answer; null where it answers at once, or nothing is known of it. */
export function answeredAfter({ imports }: Pick<Workflow, 'imports'>, executions: ExecutionData[]): number | null {
  const main = imports.at(-1)!
  const triggers = triggersOf(main).map(({ node }) => main.nodes.find(({ name }) => name === node))
  const waits = triggers.some((node) => ['lastNode', 'responseNode'].includes(String(node?.parameters?.responseMode)))
  const known = executions.filter(({ nodes }) => nodes.length > 0)
  if (!waits || known.length === 0) return null
  const path = reachedFrom(
    main,
    triggers.flatMap((node) => node?.name ?? []),
  )
  const answers = (name: string) => main.nodes.find((node) => node.name === name)?.type.endsWith('.respondToWebhook')
  return (
    known.reduce((sum, { nodes }) => {
      const own = nodes.filter(({ name }) => path.has(name))
      const end = own.findIndex(({ name }) => answers(name))
      return sum + (end < 0 ? own : own.slice(0, end + 1)).reduce((all, { took }) => all + took, 0)
    }, 0) / known.length
  )
}

/** How long the first execution took, and of that its services; of one workflow alone, whose calls they are. */
async function firstOf(
  { workflow, coverage: { executions, services }, bridges }: FirstRun,
  outside: () => Promise<OutsideCount | null> | null,
): Promise<Pick<Realism, 'first'>> {
  const took = answeredAfter(workflow, executions ?? [])
  // The mock has counted the calls of each try.
  if (took !== null && bridges.length > 0) return { first: { took, services: Math.min(took, services ?? 0) } }
  const calls = took === null ? null : await outside()
  if (took === null || !calls) return {}
  const waited = calls.calls.reduce((sum, call) => sum + call.count * (call.waited.mean ?? 0), 0) / executions!.length
  return { first: { took, services: Math.min(took, waited) } }
}

/** Writes the requests that were made up, to be corrected and given again; returns their files. */
export function writeRequests(dir: string, workflows: Workflow[]): string[] {
  const made = workflows.filter((workflow) => workflow.made?.requests)
  return made.map(({ name, made: own }) => {
    const file = join(dir, made.length === 1 ? 'request.json' : `${fileName(name)}.request.json`)
    const { requests } = own!
    writeFileSync(file, `${JSON.stringify(requests!.length === 1 ? requests![0] : requests, null, 2)}\n`)
    return file
  })
}
