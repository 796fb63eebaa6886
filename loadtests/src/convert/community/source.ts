import { valueAt } from '../../lib/values.ts'
import type { Draft } from '../draft.ts'
import { emptyFirst, formRoutes } from '../parts.ts'
import { on } from '../rules.ts'
import { fullname, kubectlExec, type Source } from '../source.ts'
import { bundledPostgresql, bundledRedis, communityPersistent, communityProcessors, communityQueue } from './asked.ts'
import { communityPods } from './pods.ts'
import { communitySettings } from './settings.ts'
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
  rules: { ...communitySettings, ...communityPods },
  inside: (all, release) =>
    kubectlExec(`${isStatefulSet(all) ? 'statefulset' : 'deployment'}/${fullname(all, release)}`),
  claim: (all, release) => (communityPersistent.holds(all) ? claim(all, release) : null),
  finish: (draft, all, release) => {
    folder(draft, all)
    // Its Secret is deleted with its release.
    if (!draft.get('encryptionKey.existingSecret'))
      draft.setSecret('encryptionKey.existingSecret', 'N8N_ENCRYPTION_KEY', 'environment')
    if (bundledPostgresql.holds(all)) bundled(draft, all, release)
    if (bundledRedis.holds(all)) draft.change('redis', emptyFirst)
    if (!communityQueue.holds(all)) return
    // Their queue mode runs manual executions on workers.
    if (draft.get(offload) === undefined) draft.set(offload, 'true')
    if (communityProcessors.holds(all) && on('ingress.enabled').holds(all)) draft.change('ingress', formRoutes)
  },
}

function isStatefulSet(all: Values): boolean {
  const several = Number(valueAt(all, 'main.count') ?? 1) > 1 && communityPersistent.holds(all)
  const shared =
    valueAt(all, 'main.persistence.accessMode') === 'ReadWriteMany'
    || Boolean(valueAt(all, 'main.persistence.existingClaim'))
  return on('main.forceToUseStatefulset').holds(all) || (several && !shared)
}

function claim(all: Values, release: string): string {
  const existing = valueAt(all, 'main.persistence.existingClaim')
  if (existing) return String(existing)
  const name = fullname(all, release)
  if (!isStatefulSet(all)) return `${name}-main-persistence`
  return `${valueAt(all, 'main.persistence.volumeName') || 'node-modules'}-${name}-0`
}

/** The path of n8n’s folder in the volume. */
function folder(draft: Draft, all: Values): void {
  if (!communityPersistent.holds(all)) return
  const mount = String(valueAt(all, 'main.persistence.mountPath') || '/home/node/.n8n')
  const inside = [valueAt(all, 'main.persistence.subPath'), mount === '/home/node' ? '.n8n' : '']
    .filter(Boolean)
    .join('/')
  if (inside) draft.set('persistence.subPath', inside)
}

const stays =
  'It stays while the old release does, without updates: restore a dump in a PostgreSQL of yours. See docs/move.md.'

function bundled(draft: Draft, all: Values, release: string): void {
  draft.set('database.host', `${fullname(all, release)}-postgresql`)
  draft.set('database.port', valueAt(all, 'postgresql.primary.service.ports.postgresql') ?? 5432)
  draft.set('database.name', valueAt(all, 'postgresql.auth.database') || 'n8n')
  draft.set('database.user', valueAt(all, 'postgresql.auth.username') || 'postgres')
  draft.setSecret('database.password.existingSecret', 'DB_POSTGRESDB_PASSWORD', 'environment')
  draft.todo('postgresql', stays)
}
