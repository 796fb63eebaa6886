import { at } from '../draft.ts'
import { on } from '../rules.ts'
import { fullname, kubectl, type Source } from '../source.ts'
import { pods } from './pods.ts'
import { settings } from './settings.ts'

const persistent = on('persistence.enabled')

/** n8n-io/n8n-hosting, charts/n8n, releases 1.x */
export const official: Source = {
  called: 'the official chart',
  defaults: {
    queueMode: { enabled: true },
    webhookProcessor: { enabled: false },
    serviceAccount: { create: true },
    database: { useExternal: true, passwordSecret: { name: 'n8n-db-password', key: 'password' } },
  },
  rules: { ...pods, ...settings },
  inside: (all, release) => kubectl(`deployment/${fullname(all, release)}-main`),
  claim: (all, release) =>
    persistent(all) ? String(at(all, 'persistence.existingClaim') || fullname(all, release)) : null,
  finish: (draft, all) => {
    // Its URLs are https, wherever TLS ends.
    if (on('ingress.enabled')(all) && !draft.get('ingress.tls')) draft.set('ingress.tls.atBalancer', true)
  },
}
