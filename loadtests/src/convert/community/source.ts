import type { Draft } from '../draft.ts'
import { emptyFirst, formRoutes } from '../parts.ts'
import { on } from '../rules.ts'
import { fullname, kubectl, type Source } from '../source.ts'
import { at } from '../values.ts'
import { bundledPostgresql, bundledRedis, persistent, processors, queue } from './asked.ts'
import { pods } from './pods.ts'
import { settings } from './settings.ts'
import type { Values } from '../../model/experiment.ts'

const offload = 'role.extraEnv.OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS'

/** community-charts/helm-charts, charts/n8n, releases 1.x */
export const community: Source = {
  called: 'the community chart',
  defaults: {
    timezone: 'Europe/Berlin',
    worker: { mode: 'regular' },
    webhook: { mode: 'regular', count: 2 },
    diagnostics: { enabled: false },
    versionNotifications: { enabled: false },
    serviceAccount: { create: true },
    db: { type: 'sqlite' },
    externalPostgresql: { username: 'postgres', password: '' },
    externalRedis: { password: '' },
  },
  // Last, since a pod's own variables go before those of its ConfigMaps.
  rules: { ...settings, ...pods },
  inside: (all, release) => kubectl(`${isStatefulSet(all) ? 'statefulset' : 'deployment'}/${fullname(all, release)}`),
  claim: (all, release) => (persistent.holds(all) ? claim(all, release) : null),
  finish: (draft, all, release) => {
    folder(draft, all)
    // Its Secret is deleted with its release.
    if (!draft.get('encryptionKey.existingSecret'))
      draft.setSecret('encryptionKey.existingSecret', 'N8N_ENCRYPTION_KEY', 'environment')
    if (bundledPostgresql.holds(all)) bundled(draft, all, release)
    if (bundledRedis.holds(all)) draft.change('redis', emptyFirst)
    if (!queue.holds(all)) return
    // Their queue mode runs manual executions on workers.
    if (draft.get(offload) === undefined) draft.set(offload, 'true')
    if (processors.holds(all) && on('ingress.enabled').holds(all)) draft.change('ingress', formRoutes)
  },
}

function isStatefulSet(all: Values): boolean {
  const several = Number(at(all, 'main.count') ?? 1) > 1 && persistent.holds(all)
  const shared =
    at(all, 'main.persistence.accessMode') === 'ReadWriteMany' || Boolean(at(all, 'main.persistence.existingClaim'))
  return on('main.forceToUseStatefulset').holds(all) || (several && !shared)
}

function claim(all: Values, release: string): string {
  const existing = at(all, 'main.persistence.existingClaim')
  if (existing) return String(existing)
  const name = fullname(all, release)
  if (!isStatefulSet(all)) return `${name}-main-persistence`
  return `${at(all, 'main.persistence.volumeName') || 'node-modules'}-${name}-0`
}

/** The path of n8n’s folder in the volume. */
function folder(draft: Draft, all: Values): void {
  if (!persistent.holds(all)) return
  const mount = String(at(all, 'main.persistence.mountPath') || '/home/node/.n8n')
  const inside = [at(all, 'main.persistence.subPath'), mount === '/home/node' ? '.n8n' : ''].filter(Boolean).join('/')
  if (inside) draft.set('persistence.subPath', inside)
}

const stays =
  'It stays while the old release does, without updates: restore a dump in a PostgreSQL of yours. See docs/move.md.'

function bundled(draft: Draft, all: Values, release: string): void {
  draft.set('database.host', `${fullname(all, release)}-postgresql`)
  draft.set('database.port', at(all, 'postgresql.primary.service.ports.postgresql') ?? 5432)
  draft.set('database.name', at(all, 'postgresql.auth.database') || 'n8n')
  draft.set('database.user', at(all, 'postgresql.auth.username') || 'postgres')
  draft.setSecret('database.password.existingSecret', 'DB_POSTGRESDB_PASSWORD', 'environment')
  draft.todo('postgresql', stays)
}
