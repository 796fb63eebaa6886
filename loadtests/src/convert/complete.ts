import { isDeepStrictEqual } from 'node:util'
import { usage } from '../lib/errors.ts'
import type { Draft } from './draft.ts'
import type { Given, Source } from './source.ts'
import { at, isEmpty, isMap, removeAt } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** What follows from several values together, in every source. */
export function complete(draft: Draft, source: Source, all: Values, given: Given): void {
  version(draft, source, all, given)
  const claim = source.claim(all, given.release) ?? mountedFolder(draft)
  database(draft)
  folder(draft, claim)
  key(draft)
  address(draft)
  queue(draft)
  connections(draft)
  sizes(draft)
  oncePerVariable(draft)
}

const exact = /^\d+\.\d+\.\d+([-+].+)?$/

/** Every rule of the chart depends on n8n's exact version, and an older n8n cannot use a newer one's database. */
function version(draft: Draft, { inside }: Source, all: Values, { tag, release }: Given): void {
  const said = String(draft.get('image.tag') ?? '')
  const found = tag ?? said
  if (!exact.test(found))
    throw usage(
      'which-version',
      `image.tag: Expected the exact n8n version that runs there, got ${found ? `"${found}"` : 'none'}: an `
        + 'earlier one may not read its database.',
      `Give it with --tag. It is what this prints: ${inside(all, release)} n8n --version.`,
    )
  // The tag of an image of their own names the image, and not n8n.
  const own = !/(^|\/)n8nio\/n8n$/.test(String(draft.get('image.repository') ?? 'n8nio/n8n'))
  if (own && said && said !== found) draft.set('image.version', found)
  else draft.set('image.tag', found)
  if (draft.get('runner.image.tag') === 'stable')
    draft.remove('runner.image.tag', 'Runners always have the version of n8n.')
  const three = Number(found.split('.')[0]) >= 3
  const offload = 'role.extraEnv.OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS'
  if (three && draft.get(offload) !== undefined)
    draft.remove(offload, 'n8n 3.0 always does it, and no longer reads it.')
}

/** Without its type, n8n uses SQLite, whatever else is said of a PostgreSQL: which may not be meant. */
function database(draft: Draft): void {
  const [said] = Object.keys((draft.get('database') ?? {}) as Values)
  if (said !== undefined && draft.get('database.type') === undefined)
    throw usage(
      'which-database',
      `Expected DB_TYPE beside database.${said}: without it n8n uses SQLite, and would start with an empty one.`,
      'Add DB_TYPE (sqlite or postgresdb) as n8n has it: printenv DB_TYPE in its container.',
    )
}

const inNoVolume =
  'It is in no volume: SQLite and the encryption key go with the pod. Copy the folder first: docs/move.md.'
const ofSeveralMains = 'Several mains have no volume: what they kept there beside the database stays behind.'

const asPersistence = 'n8n’s folder is the volume of persistence here.'

/** The claim that they mounted at n8n’s folder themselves. The chart mounts that folder too, and a pod takes one. */
function mountedFolder(draft: Draft): string | null {
  let claim: string | null = null
  for (const role of ['role', 'main', 'worker', 'webhook']) {
    const mounts = listAt(draft, `${role}.extraVolumeMounts`)
    const mount = mounts.find(({ mountPath }) => /^\/home\/node\/\.n8n\/?$/.test(String(mountPath)))
    if (!mount) continue
    const volumes = listAt(draft, `${role}.extraVolumes`)
    const volume = volumes.find(({ name }) => name === mount.name)
    const others = mounts.filter((other) => other !== mount)
    setList(draft, `${role}.extraVolumeMounts`, others)
    if (others.every(({ name }) => name !== mount.name))
      setList(
        draft,
        `${role}.extraVolumes`,
        volumes.filter((other) => other !== volume),
      )
    if (role === 'worker' || role === 'webhook') continue
    claim = (at(volume, 'persistentVolumeClaim.claimName') as string | undefined) ?? null
    if (claim !== null && mount.subPath) draft.set('persistence.subPath', mount.subPath)
    else if (claim === null)
      draft.todo('persistence', `n8n’s folder was the volume ${String(mount.name)}: put it into a claim.`)
  }
  return claim
}

const listAt = (draft: Draft, path: string) => ((draft.get(path) ?? []) as unknown[]).filter(isMap)

function setList(draft: Draft, path: string, list: Values[]): void {
  if (list.length > 0) draft.set(path, list)
  else draft.remove(path, asPersistence)
}

function folder(draft: Draft, claim: string | null): void {
  const path = 'persistence'
  const regular = draft.get('executions.mode') !== 'queue'
  const one = Number(draft.get('main.replicas') ?? 1) < 2 && !draft.get('main.autoscaling.by')
  if (claim !== null && (regular || one))
    draft.set(path, { existingClaim: claim, ...(regular ? {} : { inQueueMode: true }) })
  else if (claim !== null) {
    draft.remove(`${path}.existingClaim`, ofSeveralMains)
    draft.todo(path, ofSeveralMains)
  }
  if (claim === null && regular && isSqlite(draft)) draft.todo(path, inNoVolume)
}

/** If the values set no key, n8n keeps one in its folder, which a PostgreSQL does not contain. */
function key(draft: Draft): void {
  if (!isSqlite(draft) && !draft.get('encryptionKey.existingSecret'))
    draft.setSecret('encryptionKey.existingSecret', 'N8N_ENCRYPTION_KEY', 'folder')
}

function address(draft: Draft): void {
  const { host, protocol } = draft.address
  const name = String(host?.value ?? '')
  const said = ['publicUrl', 'webhookUrl'].find((path) => draft.get(path))
  const ofIngress = String(draft.get('ingress.host') ?? '')
  const isLocal = /^(localhost$|127\.|0\.0\.0\.0|\[?::)/.test(name)
  if (host && !said && !isLocal && name !== ofIngress) {
    const url = `${String(protocol?.value ?? 'http')}://${name}/`
    host.set('publicUrl', url)
    protocol?.set('publicUrl', url)
  }
  // A balancer before the controller ends TLS, where their URLs are https and their ingress has no certificate.
  const https = protocol?.value === 'https' || String(draft.get('webhookUrl')).startsWith(`https://${ofIngress}`)
  if (ofIngress && https && !draft.get('ingress.tls')) {
    draft.set('ingress.tls.atBalancer', true)
    protocol?.leadsTo('ingress.tls.atBalancer')
  }
  const elsewhere = said ?? (ofIngress && 'ingress.host')
  host?.drop(elsewhere ? `${elsewhere} says it.` : 'It names this machine, which is none of the cluster.')
  protocol?.drop(elsewhere ? `${elsewhere} says it.` : 'Without effect: there is no address that it belongs to.')
}

function queue(draft: Draft): void {
  const inQueueMode = draft.get('executions.mode') === 'queue'
  const path = 'role.extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT'
  const limit = draft.get(path)
  if (limit !== undefined && Number(limit) < 1) draft.remove(path, 'It limits nothing.')
  else if (limit !== undefined && inQueueMode) draft.move(path, 'worker.concurrency', Number(limit))
  // Without this, n8n would only ask the cluster's nodes.
  if (!isEmpty(draft.get('redis.clusterNodes'))) draft.remove('redis.host', 'redis.clusterNodes says it.')
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
  draft.change(
    path,
    `Each of up to ${processes} processes opens 2 connections, n8n’s default, since PostgreSQL allows 100.`,
  )
  if (needed <= 100) return
  draft.set('database.maxConnections', needed)
  draft.todo(
    'database.maxConnections',
    `Your PostgreSQL has to allow ${needed}: psql --command 'show max_connections'.`,
  )
}

const sized = 'They said nothing of it, so the chart’s own requests and limits apply.'

/** Where they set neither requests nor limits, n8n could use the whole node. */
function sizes(draft: Draft): void {
  const queueMode = draft.get('executions.mode') === 'queue'
  const roles = queueMode ? ['main', 'worker', ...(draft.get('webhook.replicas') === 0 ? [] : ['webhook'])] : ['main']
  for (const role of roles) if (isEmpty(draft.get(`${role}.resources`))) draft.change(`${role}.resources`, sized)
}

function isSqlite(draft: Draft): boolean {
  return (draft.get('database.type') ?? 'sqlite') === 'sqlite'
}

/** A value that all roles share is written once. */
function oncePerVariable(draft: Draft): void {
  const shared = (draft.get('role.extraEnv') ?? {}) as Values
  for (const role of ['main', 'worker', 'webhook']) {
    const same = [
      [`${role}.hostAliases`, 'role.hostAliases'],
      [`${role}.extraEnv.N8N_LOG_LEVEL`, 'logLevel'],
    ]
    for (const [from, to] of same as [string, string][])
      if (draft.get(from) !== undefined && isDeepStrictEqual(draft.get(from), draft.get(to))) draft.move(from, to)
    const own = draft.get(`${role}.extraEnv`)
    if (!isMap(own)) continue
    for (const [name, value] of Object.entries(own))
      if (isDeepStrictEqual(value, shared[name])) draft.move(`${role}.extraEnv.${name}`, `role.extraEnv.${name}`, value)
    for (const path of [`${role}.extraEnv`, role]) if (isEmpty(draft.get(path))) removeAt(draft.values, path)
  }
}
