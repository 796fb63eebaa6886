import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../profile/experiment.ts'
import { at, isEmpty, type Draft } from './draft.ts'
import { convertErrors } from './errors.ts'
import type { Given, Source } from './source.ts'

/** What follows from several values together, in every source. */
export function complete(draft: Draft, source: Source, all: Values, given: Given): void {
  version(draft, source, all, given)
  folder(draft, source.claim(all, given.release))
  key(draft)
  address(draft)
  queue(draft)
  connections(draft)
  oncePerVariable(draft)
}

/** Every rule of the chart depends on n8n's exact version, and an older n8n cannot use a newer one's database. */
function version(draft: Draft, { inside }: Source, all: Values, { tag, release }: Given): void {
  const found = tag ?? draft.get('image.tag')
  if (!/^\d+\.\d+\.\d+([-+].+)?$/.test(String(found ?? '')))
    throw convertErrors.whichN8n(String(found ?? ''), `${inside(all, release)} n8n --version`)
  draft.set('image.tag', found)
  if (at(draft.values, 'runner.image.tag') === 'stable') draft.set('runner.image.tag', '')
}

const inNoVolume =
  'It is in no volume: SQLite and the encryption key go with the pod. Copy the folder first: docs/move.md.'
const ofSeveralMains = 'Several mains have no volume: what they kept there beside the database stays behind.'

function folder(draft: Draft, claim: string | null): void {
  const path = 'persistence'
  const regular = draft.get('executions.mode') !== 'queue'
  const one = Number(draft.get('main.replicas') ?? 1) < 2 && !draft.get('main.autoscaling.by')
  if (claim !== null && (regular || one))
    draft.set(path, { existingClaim: claim, ...(regular ? {} : { inQueueMode: true }) })
  else if (claim !== null) draft.note('left', path, ofSeveralMains)
  else if (regular && isSqlite(draft)) draft.note('left', path, inNoVolume)
}

/** If the values set no key, n8n keeps one in its folder, which a PostgreSQL does not contain. */
function key(draft: Draft): void {
  if (!isSqlite(draft) && !draft.get('encryptionKey.existingSecret'))
    draft.setSecret('encryptionKey.existingSecret', 'N8N_ENCRYPTION_KEY', 'folder')
}

function address(draft: Draft): void {
  const { host, protocol } = draft.address
  const said = draft.get('publicUrl') || draft.get('webhookUrl') || draft.get('ingress.enabled')
  if (host && !said && !/^(localhost|127\.|0\.0\.0\.0)/.test(host)) draft.set('publicUrl', `${protocol}://${host}/`)
}

function queue(draft: Draft): void {
  const { N8N_CONCURRENCY_PRODUCTION_LIMIT: limit, ...others } = (draft.get('role.extraEnv') ?? {}) as Values
  const inQueueMode = draft.get('executions.mode') === 'queue'
  if (limit !== undefined && (inQueueMode || Number(limit) < 1)) {
    delete (draft.values.role as Values).extraEnv
    draft.set('role.extraEnv', others)
    if (Number(limit) > 0) draft.set('worker.concurrency', Number(limit))
  }
  // Without this, n8n would only ask the cluster's nodes.
  if (!isEmpty(draft.get('redis.clusterNodes'))) delete (draft.values.redis as Values).host
}

const free = 97

/**
 * The connections of all processes at their most, during an update, must stay within PostgreSQL's default limit unless
 * it was raised.
 */
function connections(draft: Draft): void {
  if (isSqlite(draft) || draft.get('executions.mode') !== 'queue') return
  const most = (role: string, ours: number) =>
    Number(
      draft.get(`${role}.autoscaling.by`)
        ? (draft.get(`${role}.autoscaling.max`) ?? 10)
        : (draft.get(`${role}.replicas`) ?? ours),
    )
  const processes = [most('main', 1), most('worker', 2), most('webhook', 1)].reduce(
    (sum, pods) => sum + pods + Math.ceil(pods / 4),
    0,
  )
  const pool = Number(draft.get('database.poolSize') ?? 5)
  if (processes * pool <= free) return
  const path = 'database.poolSize'
  if (pool > 2) draft.set(path, 2)
  const needed = processes * 2 + 3
  draft.note(
    'changed',
    path,
    `Each of up to ${processes} processes opens 2 connections, n8n’s default, since PostgreSQL allows 100.`,
  )
  if (needed <= 100) return
  draft.set('database.maxConnections', needed)
  draft.note(
    'left',
    'database.maxConnections',
    `Your PostgreSQL has to allow ${needed}: psql --command 'show max_connections'.`,
  )
}

function isSqlite(draft: Draft): boolean {
  return (draft.get('database.type') ?? 'sqlite') === 'sqlite'
}

/** A value that all roles share is written once. */
function oncePerVariable(draft: Draft): void {
  const shared = (draft.get('role.extraEnv') ?? {}) as Values
  for (const role of ['main', 'worker', 'webhook']) {
    const own = draft.get(`${role}.extraEnv`) as Values | undefined
    for (const name of Object.keys(own ?? {})) if (isDeepStrictEqual(own![name], shared[name])) delete own![name]
    if (own && isEmpty(own)) delete (draft.values[role] as Values).extraEnv
  }
}
