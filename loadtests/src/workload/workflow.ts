import { usage } from '../lib/errors.ts'
import type { Bridge } from '../model/bridge.ts'
import type { Request, Row, Signature } from '../../scenarios/request.ts'
import type { DataTable } from '../n8n/data-tables.ts'
import type { Credential } from '../n8n/credentials.ts'
import { dataTablesOf } from './data-tables.ts'
import {
  badWorkflow,
  importable,
  readsBody,
  type Exported,
  type ExportedNode,
  type Importable,
} from '../n8n/exported.ts'
import { copyWithWebhook } from './copy-with-webhook.ts'
import { withBlanks } from './inferred/fit.ts'
import { sampleOf } from './inferred/sample.ts'
import { readsOf } from './inferred/reads.ts'
import { inferredRequest } from './inferred/request.ts'
import { signingsOf, type Signing } from './inferred/signing.ts'
import { handedBy, type Completed } from './made/complete.ts'
import { probeOf, type WebhookProbe } from './probe.ts'
import { pinnedRequests } from './requests/pinned.ts'
import { planRequests } from './requests/plan.ts'
import { requestSchema, type RequestGiven, type RequestSpec } from './requests/schema.ts'
import { triggersOf, type Trigger } from '../n8n/address.ts'

/** A workflow that can be put under load, with everything it needs. */
export interface Workflow {
  name: string
  id: string
  /** Its sub-workflows, and then the workflow itself. */
  imports: Importable[]
  /** The webhook that must answer before the load begins. */
  webhook: WebhookProbe
  requests: Request[]
  /** Rows of CSV files that requests take their fields from. */
  tables: Row[][]
  /** The data tables that it and its sub-workflows use. */
  dataTables: DataTable[]
  /** It uses this project's nodes, so n8n needs the package. */
  needsNodes: boolean
  /** Of one that no caller reaches: its trigger, the node in its place, and the lab's Webhook in front of that. */
  standsFor?: { type: string; node: string; webhook: string }
  /** Ids of scheduled workflows that run beside it, which are among its imports. */
  beside?: string[]
  /** Warnings that a reader needs before trusting its figures. */
  warnings: string[]
  /** What is pinned on its nodes. */
  pinned?: Exported['pinData']
  /** What was made up so that it runs from its file alone; absent where nothing was. */
  made?: MadeUp
}

export interface MadeUp {
  /** Credentials that lead to the mock. */
  credentials: Credential[]
  /** What it reads of the answers of services. */
  hints: Completed['hints']
  /** The requests, as they would be given; null where they were given, or pinned. */
  requests: RequestGiven[] | null
  /** What stands in for what. */
  said: string[]
  /** Nodes that this n8n does not have, and that others stand in for. */
  bridged: Bridge[]
}

export interface Sending {
  /** None: the requests are the data pinned on its triggers. */
  requests: RequestSpec[] | null
  credentials: Credential[]
  dataTables: DataTable[]
  /** Where the requests came from, for error messages. */
  where: string
  /** n8n gets it from the lab, together with the credentials and the data tables. */
  imported: boolean
  /** It is one of somebody's n8n, which runs already; a bundled one has what it is sent. */
  isThere?: boolean
  /** What was made up for it, if the mock answers its calls. */
  completed?: Completed
}

export async function loaded(
  name: string,
  given: Exported[],
  { requests, credentials: givenCredentials, dataTables, where, imported, isThere = false, completed }: Sending,
): Promise<Workflow> {
  const credentials = [...givenCredentials, ...(completed?.credentials ?? [])]
  const original = given.at(-1)!
  const made =
    imported && !triggersOf(original).length
      ? copyWithWebhook(original, completed && ((trigger) => handedBy(trigger, completed.reads, original)))
      : null
  const exported = made?.copy ?? original
  const imports = [...given.slice(0, -1), exported]
  const triggers = triggersOf(exported)
  if (!triggers.length) throw badWorkflow(where, `a Webhook, Form, Chat or MCP trigger in ${name}`, 'none')
  if (imported) refuseWithoutCredential(name, triggers, credentials)
  const signings = triggers.flatMap((trigger) => {
    const reads = completed?.reads ?? readsOf(original, [trigger.node])
    const read = reads.outputOf(trigger.node).json
    return signingsOf(original, read, givenCredentials, completed?.credentials ?? []).map((one) => ({
      ...one,
      trigger,
    }))
  })
  const signatures = new Map(
    signings.flatMap(({ trigger, signature }) => (signature ? [[trigger.node, signature] as const] : [])),
  )
  const saidOfSignatures = [...new Set(signings.map(signingSaid))]
  const specs = made ? requests?.map(withItems) : requests
  // An n8n that runs already has all that the workflow needs, but for what callers send.
  const reads = completed?.reads ?? (isThere ? readsOf(original, namesOf(triggers)) : null)
  const inferred =
    reads && !made && !requests
      ? triggers
          .filter(({ pinned }) => pinned.length === 0)
          .map((trigger) =>
            withoutHeader(
              inferredRequest(trigger, reads.outputOf(trigger.node), original),
              signatures.get(trigger.node),
            ),
          )
      : []
  // Public exports have texts blanked out.
  const blanksOf = (node: string) => (item: unknown) =>
    reads ? withBlanks(item, sampleOf(reads.outputOf(node).json)) : item
  const usual = triggers.flatMap((trigger) => {
    const own = inferred.find(({ webhook }) => webhook === trigger.node)
    return own ? [requestSchema.parse(own)] : pinnedRequests(trigger, blanksOf(trigger.node))
  })
  const plan = await planRequests(specs ?? usual, {
    workflow: name,
    triggers,
    credentials,
    where: requests ? where : name,
    signatures,
  })
  const said = [...(completed?.said ?? []), ...saidOfSignatures]
  return {
    name,
    id: exported.id,
    imports: imports.map(importable),
    dataTables: imported ? dataTablesOf(imports, [...dataTables, ...(completed?.dataTables ?? [])], name) : [],
    webhook: await probeOf(plan.requests[0]!, plan.tables),
    ...plan,
    ...(original.pinData && { pinned: original.pinData }),
    ...(made && { standsFor: { type: made.trigger.type, node: made.trigger.name, webhook: made.webhook } }),
    needsNodes: imports.some(({ nodes }) => nodes.some(({ type }) => type.startsWith('n8n-nodes-tuned.'))),
    warnings: [
      ...(made ? [copied(name, original, made.trigger)] : requests || reads ? [] : triggers.flatMap(sampled(name))),
      ...(readsBody(exported) && plan.requests.every(({ body }) => body === null)
        ? [
            `${name} reads the body of its requests, and they have none: give one with --request FILE, or `
              + 'pin data on its trigger.',
          ]
        : []),
      ...(imported ? missingCredentials(name, imports, credentials) : []),
      ...(said.length ? [`${name}: ${said.join(' ')}`] : []),
    ],
    ...((completed || inferred.length > 0) && {
      made: {
        credentials: completed?.credentials ?? [],
        hints: completed?.hints ?? [],
        requests: requests ? null : made ? [{ body: itemsOf(made.copy) }] : inferred.length ? inferred : null,
        said,
        bridged: completed?.bridged ?? [],
      },
    }),
  }
}

const namesOf = (triggers: Trigger[]) => triggers.map(({ node }) => node)

/** The lab computes it for each body. */
function withoutHeader(given: RequestGiven, signature: Signature | undefined): RequestGiven {
  if (!signature || !given.headers) return given
  const drop = [signature.header, signature.clock]
  const headers = Object.entries(given.headers).filter(([name]) => !drop.includes(name.toLowerCase()))
  const { headers: _, ...rest } = given
  return headers.length ? { ...rest, headers: Object.fromEntries(headers) } : rest
}

function signingSaid({ node, header, signature, lacksSecret }: Signing): string {
  if (signature)
    return (
      `Each request is signed for "${node}": ${signature.hash} as ${signature.encoding}, in the header `
      + `${signature.header}.`
    )
  if (header !== null && lacksSecret)
    return (
      `"${node}" computes a signature, and requests have none that fits. Give its secret with --credentials FILE, as `
      + 'a credential of the type crypto with its hmacSecret.'
    )
  return (
    `"${node}" computes a signature, and requests have none that fits. If it checks that of the request, give `
    + 'requests that are signed: --request FILE.'
  )
}

/** The items that the copy is sent. */
const itemsOf = ({ pinData = {} }: Exported): unknown =>
  (Object.values(pinData)[0]?.[0]?.json as { body?: unknown } | undefined)?.body ?? []

/** A copy takes a list of items. */
const withItems = (spec: RequestSpec): RequestSpec => ({ ...spec, body: [spec.body ?? {}].flat() })

function copied(name: string, { pinData }: Exported, { name: node, type }: ExportedNode): string {
  const items = pinData?.[node]?.length ? 'the data that is pinned on it' : 'a sample, since no data is pinned on it'
  return (
    `${name} begins by "${node}" (${type.split('.').at(-1)}): the lab loads a copy with a Webhook in front, which `
    + `hands on ${items}. Give other items as the body of a request.`
  )
}

/** What callers would have filled in. */
const sampled =
  (name: string) =>
  ({ takes, node, pinned }: Trigger): string[] => {
    if (pinned.length > 0 && takes.kind !== 'mcp') return []
    const say = (what: string) => [`${name}: ${what}. Give a request of your own with --request FILE.`]
    switch (takes.kind) {
      case 'webhook':
        return []
      case 'form':
        return takes.fields.length ? say(`the form "${node}" gets samples, since no data is pinned on it`) : []
      case 'chat':
        return say(`the chat "${node}" is told "Hello", since no data is pinned on it`)
      case 'mcp':
        return say(`the tool "${takes.tool ?? 'none'}" of "${node}" is called without arguments`)
    }
  }

function refuseWithoutCredential(name: string, triggers: Trigger[], credentials: Credential[]): void {
  const locked = triggers.find(
    ({ auth, credential }) => auth !== 'none' && !credentials.some(({ id }) => id === credential?.id),
  )
  if (locked)
    throw usage(
      'missing-credential',
      `${name}: Expected the credential ${locked.credential ? `"${locked.credential.name}"` : locked.auth} of its `
        + `trigger "${locked.node}", got none: it would refuse every request.`,
      'Give it with --credentials FILE, as n8n export:credentials --all --decrypted writes it.',
    )
}

function missingCredentials(name: string, imports: Exported[], given: Credential[]): string[] {
  const wanted = imports.flatMap(({ nodes }) =>
    nodes.filter(({ disabled }) => !disabled).flatMap(({ credentials = {} }) => Object.values(credentials)),
  )
  const missing = wanted
    .filter(({ id }) => !given.some((one) => one.id === String(id)))
    .map(({ name: credential, id }) => credential ?? String(id))
  return missing.length
    ? [
        `${name} uses credentials that were not given (${[...new Set(missing)].join(', ')}): what needs them `
          + 'fails. --credentials FILE gives them.',
      ]
    : []
}
