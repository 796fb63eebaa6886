import { isMap, valueAt } from '../../lib/values.ts'
import type { Key } from '../key.ts'
import {
  serviceAccount,
  autoscaling,
  dropBundledRedis,
  claimKeys,
  emptyFirst,
  foreign,
  ingress,
  ownNames,
  placement,
  probes,
  pullSecrets,
  resources,
  umbrella,
} from '../parts.ts'
import {
  both,
  byHand,
  dropped,
  on,
  same,
  to,
  under,
  variable,
  variables,
  when,
  type ValuesCondition,
  type Rule,
} from '../rules.ts'
import { fullname, kubectlExec, type Source } from '../source.ts'
import { isEmpty } from '../values.ts'
import { takeSecret, takeVariable } from '../variables.ts'
import { start } from './release-1.ts'
import { settingsOfRelease0 } from './settings-0.ts'

const queue = on('scaling.enabled')
const processors = both(queue, on('scaling.webhook.enabled'))
const persistent: ValuesCondition = {
  holds: (all) =>
    on('persistence.enabled').holds(all) && (valueAt(all, 'persistence.type') ?? 'emptyDir') !== 'emptyDir',
  unless: 'persistence is not a volume',
}

const noVariable = 'It is in n8n’s configuration file, which n8n no longer reads. Set its variable in role.extraEnv.'

/** A tree of n8n’s configuration file: each setting has a variable. Names of variables stand for themselves. */
const configuration =
  (file: string, take: typeof takeVariable): Rule =>
  (key) => {
    const visit = (inner: Key, path: string[]): void => {
      if (isMap(inner.value) && !inner.isEmpty) return inner.each().forEach((next) => visit(next, [...path, next.name]))
      if (inner.isEmpty) return inner.drop('It has no value.')
      const name = settingsOfRelease0[path.join('.')] ?? (/^[A-Z][A-Z0-9_]+$/.test(inner.name) ? inner.name : undefined)
      if (name === undefined) return inner.refuse(noVariable)
      take({ name, value: inner.value, role: 'role', key: inner }, key.draft)
      // n8n has it in this file, and not in its environment.
      if (key.draft.secrets.has(name)) key.draft.secrets.set(name, { file, keys: path })
    }
    visit(key, [])
  }

const inFile = 'n8n read settings from its secret.json. Set each as a variable in role.extraEnv, as {valueFrom: …}.'

/** 8gears/n8n-helm-chart, releases 0.x: n8n’s values are at the top. */
export const eightGears0: Source = {
  called: 'the 8gears chart, release 0.x',
  defaults: {
    config: { executions: { pruneData: 'true', pruneDataMaxAge: 3760 } },
    scaling: { worker: { count: 2, concurrency: 2 } },
  },
  rules: {
    ...umbrella,
    ...same('image.repository', 'image.tag', 'image.pullPolicy'),
    ...dropped(ownNames, 'nameOverride', 'fullnameOverride'),
    ...pullSecrets,
    ...ingress,
    defaults: byHand(inFile),
    config: configuration('/n8n-config/config.json', takeVariable),
    secret: configuration('/n8n-secret/secret.json', takeSecret),
    existingSecret: byHand(inFile),
    'n8n.encryption_key': (key) => {
      if (!key.isEmpty) takeVariable({ name: 'N8N_ENCRYPTION_KEY', value: key.value, role: 'role', key }, key.draft)
    },
    extraEnv: variables('role'),
    extraEnvSecrets: (key) => {
      for (const entry of key.each()) {
        const value = { valueFrom: { secretKeyRef: { name: entry.at('name').value, key: entry.at('key').value } } }
        takeVariable({ name: entry.name, value, role: 'role', key: entry }, key.draft)
      }
    },
    ...claimKeys('persistence', persistent, 'type', 'accessModes', 'size', 'storageClass', 'annotations'),
    replicaCount: to('main.replicas'),
    ...dropped(
      'Main is replaced, or rolled in queue mode: main.strategy. Other roles are rolled.',
      'deploymentStrategy',
    ),
    ...serviceAccount,
    podAnnotations: to('role.podAnnotations'),
    podLabels: to('role.podLabels'),
    podSecurityContext: to('role.podSecurityContext'),
    securityContext: to('role.securityContext'),
    lifecycle: to('main.lifecycle'),
    command: byHand(start),
    ...dropped(probes, 'livenessProbe', 'readinessProbe'),
    initContainers: to('role.extraInitContainers'),
    'service.type': to('service.type'),
    'service.port': to('service.port'),
    'service.annotations': to('service.annotations'),
    resources: resources('main'),
    workerResources: when(queue, resources('worker')),
    webhookResources: when(processors, resources('webhook')),
    ...placement('', 'role'),
    autoscaling: when(on('autoscaling.enabled'), autoscaling('main', 'minReplicas', 'maxReplicas')),
    'scaling.enabled': (key) => {
      key.set('executions.mode', key.value === true ? 'queue' : 'regular')
    },
    ...under(
      'scaling',
      { 'worker.count': to('worker.replicas'), 'worker.concurrency': to('worker.concurrency') },
      queue,
    ),
    'scaling.webhook.enabled': when(queue, (key) => {
      if (key.value === true) key.leadsTo('executions.mode')
      else key.drop('Without processors main answers webhooks: webhook.replicas is 0.')
    }),
    'scaling.webhook.count': when(processors, to('webhook.replicas')),
    'scaling.redis.host': when(queue, variable('QUEUE_BULL_REDIS_HOST')),
    'scaling.redis.password': when(queue, variable('QUEUE_BULL_REDIS_PASSWORD')),
    redis: dropBundledRedis,
    extraManifests: byHand(foreign),
  },
  inside: (all, release) => kubectlExec(`deployment/${fullname(all, release)}`),
  claim: (all, release) =>
    persistent.holds(all) ? String(valueAt(all, 'persistence.existingClaim') || fullname(all, release)) : null,
  finish: (draft, all) => {
    if (!queue.holds(all)) return
    if (!processors.holds(all)) draft.set('webhook.replicas', 0)
    if (!isEmpty(valueAt(all, 'scaling.redis.host'))) return
    draft.remove('redis', emptyFirst)
    draft.secrets.delete('QUEUE_BULL_REDIS_PASSWORD')
    draft.change('redis', emptyFirst)
  },
}
