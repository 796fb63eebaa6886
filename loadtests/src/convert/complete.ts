import { isMap, valueAt } from '../lib/values.ts'
import { isDeepStrictEqual } from 'node:util'
import { usage } from '../lib/errors.ts'
import type { Draft } from './draft.ts'
import type { BesideValues, Source } from './source.ts'
import { isEmpty, removeAt } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** What follows from several values together, in every source. */
export function completeValues(draft: Draft, source: Source, all: Values, given: BesideValues): void {
  version(draft, source, all, given)
  const claim = source.claim(all, given.release) ?? mountedFolder(draft)
  database(draft)
  mountedFiles(draft)
  tls(draft)
  folder(draft, claim)
  key(draft)
  address(draft)
  queue(draft)
  files(draft)
  telemetry(draft)
  timeZone(draft)
  oncePerVariable(draft)
  connections(draft)
  sizes(draft)
}

const exact = /^\d+\.\d+\.\d+([-+].+)?$/

/** Every rule of the chart depends on n8n's exact version, and an older n8n cannot use a newer one's database. */
function version(draft: Draft, { inside }: Source, all: Values, { tag, release }: BesideValues): void {
  const said = String(draft.get('image.tag') ?? '')
  const found = tag ?? said
  if (exact.test(said) && said !== found && !isOwnImage(draft)) {
    const other = `--tag says that n8n ${found} runs there, and goes before it.`
    draft.account.withdraw('image.tag', other)
    draft.change('image.tag', `The values say ${said}. ${other}`)
  }
  if (!exact.test(found))
    throw usage(
      'which-version',
      `image.tag: Expected the exact n8n version that runs there, got ${found ? `"${found}"` : 'none'}: an `
        + 'earlier one may not read its database.',
      `Give it with --tag. It is what this prints: ${inside(all, release)} n8n --version.`,
    )
  // The tag of an image of their own names the image, and not n8n.
  if (isOwnImage(draft) && said && said !== found) draft.set('image.version', found)
  else draft.set('image.tag', found)
  if (draft.get('runner.image.tag') === 'stable')
    draft.remove('runner.image.tag', 'Runners always have the version of n8n.')
  const three = Number(found.split('.')[0]) >= 3
  const offload = 'role.extraEnv.OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS'
  if (three && draft.get(offload) !== undefined)
    draft.remove(offload, 'n8n 3.0 always does it, and no longer reads it.')
}

const isOwnImage = (draft: Draft) => !/(^|\/)n8nio\/n8n$/.test(String(draft.get('image.repository') ?? 'n8nio/n8n'))

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
  for (const role of ['role', ...roles]) {
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
    claim = (valueAt(volume, 'persistentVolumeClaim.claimName') as string | undefined) ?? null
    if (claim !== null && mount.subPath) draft.set('persistence.subPath', mount.subPath)
    else if (claim === null)
      draft.todo('persistence', `n8n’s folder was the volume ${String(mount.name)}: put it into a claim.`)
  }
  return claim
}

/**
 * A file of a Secret that is mounted stays what it is, since the one who made the Secret renews it. A file that an
 * agent writes into the pod stays a file.
 */
function mountedFiles(draft: Draft): void {
  for (const { variable, role, file, path } of draft.files) {
    const found = sourceOf(draft, role, file)
    if (found === undefined) continue
    draft.secrets.delete(variable)
    if (isMap(found)) draft.set(path, found)
    else draft.move(path, `${role}.extraEnv.${variable}_FILE`, file)
  }
}

/** The key of the Secret that is at that path in the pods; `other` for a volume of another kind. */
function sourceOf(draft: Draft, role: string, file: string): { name: unknown; key: unknown } | 'other' | undefined {
  for (const of of new Set([role, 'role', 'main'])) {
    const mounts = listAt(draft, `${of}.extraVolumeMounts`)
    const mount = mounts.find(({ mountPath }) => isBelow(file, String(mountPath)))
    const volume = listAt(draft, `${of}.extraVolumes`).find(({ name }) => mount && name === mount.name)
    if (!mount || !volume) {
      const annotations = Object.keys((draft.get(`${of}.podAnnotations`) ?? {}) as Values)
      if (isBelow(file, '/vault/secrets') && annotations.some((name) => /agent-inject/.test(name))) return 'other'
      continue
    }
    const inVolume = [mount.subPath, file.slice(String(mount.mountPath).replace(/\/$/, '').length + 1)]
    const path = inVolume.filter(Boolean).join('/')
    const projected = valueAt(volume, 'projected.sources')
    const secrets = [
      ...(isMap(volume.secret) ? [{ name: volume.secret.secretName, items: volume.secret.items }] : []),
      ...(Array.isArray(projected) ? projected : []).flatMap((of: unknown) => {
        const secret = valueAt(of, 'secret')
        return isMap(secret) ? [{ name: secret.name, items: secret.items }] : []
      }),
    ]
    for (const { name, items } of secrets) {
      const item = Array.isArray(items) ? items.find((one) => isMap(one) && one.path === path) : { key: path }
      if (isMap(item)) return { name, key: item.key }
    }
    return 'other'
  }
  return undefined
}

const isBelow = (file: string, folder: string) => file === folder || file.startsWith(`${folder.replace(/\/$/, '')}/`)

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

const limit = 'extraEnv.N8N_CONCURRENCY_PRODUCTION_LIMIT'

function queue(draft: Draft): void {
  // Without this, n8n would only ask the cluster's nodes.
  if (!isEmpty(draft.get('redis.clusterNodes'))) draft.remove('redis.host', 'redis.clusterNodes says it.')
  if (draft.get('executions.mode') !== 'queue') {
    if (Number(draft.get(`role.${limit}`)) < 1) draft.remove(`role.${limit}`, 'It limits nothing.')
    return
  }
  // n8n goes by this limit before it goes by `--concurrency`, and only workers execute.
  for (const role of ['worker', 'role', 'main', 'webhook']) {
    const path = `${role}.${limit}`
    const most = draft.get(path)
    if (most === undefined) continue
    const isOfWorkers = role === 'worker' || (role === 'role' && draft.get(`worker.${limit}`) === undefined)
    if (!isOfWorkers) draft.remove(path, 'Without effect: in queue mode only the limit of workers counts.')
    else if (isMap(most)) {
      draft.remove(path, 'worker.concurrency takes a number.')
      draft.todo('worker.concurrency', 'Write the number here that N8N_CONCURRENCY_PRODUCTION_LIMIT has on workers.')
    } else if (Number(most) < 1) draft.remove(path, 'It limits nothing.')
    else {
      draft.account.withdraw('worker.concurrency', 'Without effect: N8N_CONCURRENCY_PRODUCTION_LIMIT goes before it.')
      draft.move(path, 'worker.concurrency', Number(most))
    }
  }
  if (draft.get('worker.replicas') === 0) {
    draft.set('worker.replicas', 1)
    draft.change('worker.replicas', 'They deploy no worker, so what was queued did not run. Here one runs it.')
  }
}

const isSaid = (draft: Draft, name: string) =>
  ['role', 'main'].some((role) => draft.get(`${role}.extraEnv.${name}`) !== undefined)

/** In queue mode n8n keeps files in folders only where every process has the same one, which no chart can promise. */
function files(draft: Draft): void {
  if (draft.get('executions.mode') !== 'queue') return
  const names = ['N8N_DEFAULT_BINARY_DATA_MODE', 'N8N_AVAILABLE_BINARY_DATA_MODES']
  const all = ['role', ...roles]
  const paths = all.map((role) => `${role}.extraEnv.${names[0]}`).filter((path) => draft.get(path) === 'filesystem')
  if (paths.length === 0) return
  const inDatabase =
    'In queue mode new files of workflows go into the database; those of earlier executions stay behind.'
  draft.change('binaryData.mode', inDatabase)
  for (const path of [...paths, ...all.map((role) => `${role}.extraEnv.${names[1]}`)])
    if (draft.get(path) !== undefined) draft.remove(path, inDatabase)
}

/** What n8n does unless told otherwise, and the chart does not. */
function telemetry(draft: Draft): void {
  const path = 'telemetry.enabled'
  const notifications = 'role.extraEnv.N8N_VERSION_NOTIFICATIONS_ENABLED'
  if (draft.get(path) === undefined) draft.set(path, true)
  if (draft.get(path) === true) {
    if (String(draft.get(notifications)) === 'true') draft.remove(notifications, 'telemetry.enabled says it.')
  } else if (draft.get(notifications) === undefined) draft.change(path, 'n8n no longer looks for new versions either.')
  else if (String(draft.get(notifications)) === 'false') draft.remove(notifications, 'telemetry.enabled says it.')
}

/** n8n’s schedules go by GENERIC_TIMEZONE alone, and the chart gives TZ the same value. */
function timeZone(draft: Draft): void {
  const zone = draft.get('timezone') ?? draft.get('role.extraEnv.GENERIC_TIMEZONE')
  if (zone === undefined) {
    draft.set('timezone', 'America/New_York')
    draft.change('timezone', 'They set no GENERIC_TIMEZONE, so schedules go by n8n’s default, the time of New York.')
  }
  for (const role of ['role', ...roles]) {
    const path = `${role}.extraEnv.TZ`
    if (draft.get(path) === draft.get('timezone')) draft.move(path, 'timezone')
  }
}

/** n8n connects by TLS as soon as it is told how, whatever DB_POSTGRESDB_SSL_ENABLED says. */
function tls(draft: Draft): void {
  const path = 'database.tls'
  const own = ['CA', 'CERT', 'KEY'].flatMap((name) => [`DB_POSTGRESDB_SSL_${name}`, `DB_POSTGRESDB_SSL_${name}_FILE`])
  const how = [draft.get(`${path}.caSecret`), draft.get(`${path}.clientSecret`), draft.get(`${path}.verify`) === false]
  const isTold = how.some(Boolean) || own.some((name) => isSaid(draft, name))
  if (isSqlite(draft) || !isTold || draft.get(`${path}.enabled`) === true) return
  const why = 'n8n connects by TLS as soon as it gets a certificate, or is told not to verify one.'
  draft.account.withdraw(`${path}.enabled`, why)
  draft.set(`${path}.enabled`, true)
  draft.change(`${path}.enabled`, why)
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

const roles = ['main', 'worker', 'webhook']

/** What every role has is written once. */
function oncePerVariable(draft: Draft): void {
  const queueMode = draft.get('executions.mode') === 'queue'
  const deployed = queueMode ? roles.filter((role) => draft.get(`${role}.replicas`) !== 0) : []
  const share = (path: string, to = `role.${path}`) => {
    const [first, ...others] = deployed.map((role) => draft.get(`${role}.${path}`))
    const inAll = first !== undefined && others.every((other) => isDeepStrictEqual(other, first))
    const shared = draft.get(to) ?? (inAll ? first : undefined)
    if (shared === undefined) return
    for (const role of roles)
      if (isDeepStrictEqual(draft.get(`${role}.${path}`), shared)) draft.move(`${role}.${path}`, to)
  }
  const names = ['role', ...roles].flatMap((role) => Object.keys((draft.get(`${role}.extraEnv`) ?? {}) as Values))
  share('extraEnv.N8N_LOG_LEVEL', 'logLevel')
  for (const name of new Set(names)) share(`extraEnv.${name}`)
  for (const list of ['hostAliases', 'extraVolumes', 'extraVolumeMounts']) share(list)
  for (const role of ['role', ...roles])
    for (const path of [`${role}.extraEnv`, role]) if (isEmpty(draft.get(path))) removeAt(draft.values, path)
}
