import { valueAt } from '../../lib/values.ts'
import { on } from '../rules.ts'
import { fullname, kubectlExec, type Source } from '../source.ts'
import { officialPersistent, officialQueue } from './asked.ts'
import { officialPods } from './pods.ts'
import { officialSettings } from './settings.ts'

/** n8n-io/n8n-hosting, charts/n8n, releases 1.x */
export const official: Source = {
  called: 'the official chart',
  defaults: {
    queueMode: { enabled: true },
    config: { timezone: 'UTC' },
    webhookProcessor: { enabled: false, replicaCount: 2 },
    multiMain: { replicas: 2 },
    hpa: {
      main: { minReplicas: 1, maxReplicas: 5 },
      worker: { minReplicas: 2, maxReplicas: 20 },
      webhookProcessor: { minReplicas: 2, maxReplicas: 50 },
    },
    keda: { worker: { minReplicaCount: 2, maxReplicaCount: 20, cooldownPeriod: 300 } },
    serviceAccount: { create: true },
    database: { useExternal: true, passwordSecret: { name: 'n8n-db-password', key: 'password' } },
  },
  rules: { ...officialPods, ...officialSettings },
  inside: (all, release) => kubectlExec(`deployment/${fullname(all, release)}-main`),
  claim: (all, release) =>
    officialPersistent.holds(all) ? String(valueAt(all, 'persistence.existingClaim') || fullname(all, release)) : null,
  finish: (draft, all) => {
    // Its URLs are https, wherever TLS ends.
    if (on('ingress.enabled').holds(all) && !draft.get('ingress.tls')) draft.set('ingress.tls.atBalancer', true)
    if (officialQueue.holds(all) && draft.get(offload) === undefined) draft.set(offload, 'true')
  },
}

/** Their queue mode runs manual executions on workers. */
export const offload = 'role.extraEnv.OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS'
