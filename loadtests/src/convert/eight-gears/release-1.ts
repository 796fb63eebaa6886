import { isMap, valueAt } from '../../lib/values.ts'
import type { Key } from '../key.ts'
import {
  accountAnnotations,
  autoscaling,
  dropBundledRedis,
  claimKeys,
  emptyFirst,
  foreign,
  formRoutes,
  grace,
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
  variables,
  type ValuesCondition,
  type Rule,
  type Rules,
} from '../rules.ts'
import { fullname, kubectlExec, type Source } from '../source.ts'
import { takeSecret, takeVariable, type Role } from '../variables.ts'

type Part = 'main' | 'worker' | 'webhook'

/** `{ db: { type: … } }` is the variable DB_TYPE. */
function flat(key: Key, prefix: string[] = []): [string, Key][] {
  if (!isMap(key.value)) return [[prefix.join('_').toUpperCase(), key]]
  return key.each().flatMap((inner) => flat(inner, [...prefix, inner.name]))
}

const tree =
  (role: Role, take: typeof takeVariable): Rule =>
  (key) => {
    for (const [name, leaf] of flat(key)) if (name) take({ name, value: leaf.value, role, key: leaf }, key.draft)
  }

export const start = 'Containers start n8n as the image does: put what this adds into an image of yours.'
export const everyObject = (values: string) => `Put them into ${values}, which every object of the chart gets.`
const persistent: ValuesCondition = {
  holds: (all) =>
    on('main.persistence.enabled').holds(all) && (valueAt(all, 'main.persistence.type') ?? 'emptyDir') !== 'emptyDir',
  unless: 'main.persistence is not a volume',
}

/** Values that main, worker and webhook each have; main’s configuration applies to all of them. */
const part = (name: Part): Rules => ({
  config: tree(name === 'main' ? 'role' : name, takeVariable),
  secret: tree(name === 'main' ? 'role' : name, takeSecret),
  extraEnv: variables(name),
  extraVolumes: to(`${name}.extraVolumes`),
  extraVolumeMounts: to(`${name}.extraVolumeMounts`),
  initContainers: to(`${name}.extraInitContainers`),
  replicaCount: to(`${name}.replicas`),
  podAnnotations: to(`${name}.podAnnotations`),
  podLabels: to(`${name}.podLabels`),
  podSecurityContext: to(`${name}.podSecurityContext`),
  securityContext: to(`${name}.securityContext`),
  lifecycle: to(`${name}.lifecycle`),
  resources: resources(name),
  command: byHand(start),
  commandArgs: byHand(start),
  terminationGracePeriodSeconds: grace(name),
  ...placement('', name),
  ...dropped('Main is replaced, or rolled in queue mode: main.strategy. Other roles are rolled.', 'deploymentStrategy'),
  deploymentAnnotations: byHand(everyObject('commonAnnotations')),
  deploymentLabels: byHand(everyObject('commonLabels')),
  ...dropped(probes, 'livenessProbe', 'readinessProbe', 'startupProbe'),
  ...dropped(ownNames, 'nameOverride', 'fullnameOverride'),
})

/** Roles beside main. */
const beside = (name: 'worker' | 'webhook'): Rules => ({
  [`${name}.enabled`]: (key) => {
    if (key.value === true) key.leadsTo('executions.mode')
    else if (name === 'webhook') key.drop('Without processors main answers webhooks: webhook.replicas is 0.')
    else key.drop('It is off.')
  },
  ...under(
    name,
    {
      ...part(name),
      ...dropped('Only main needs n8n’s folder: the others keep nothing in it.', 'persistence'),
      ...dropped('Every role has the account of main.', 'serviceAccount'),
      ...dropped('The chart makes the Services that each role needs.', 'service'),
    },
    on(`${name}.enabled`),
  ),
})

const scaled = (name: Part, ...asked: ValuesCondition[]) =>
  under(
    name,
    { autoscaling: autoscaling(name, 'minReplicas', 'maxReplicas') },
    both(...asked, on(`${name}.autoscaling.enabled`)),
  )

/** Keys of release 0.x, which stay in many files. */
const releaseZero = (
  'n8n config secret extraEnv extraEnvSecrets persistence replicaCount service scaling resources workerResources '
  + 'webhookResources deploymentStrategy serviceAccount podAnnotations podLabels podSecurityContext securityContext '
  + 'lifecycle command livenessProbe readinessProbe initContainers autoscaling nodeSelector tolerations affinity redis'
).split(' ')
const unread = 'Release 1.0 of their chart reads only what is below main, worker and webhook: it had no effect there.'

/** 8gears/n8n-helm-chart, charts/n8n, releases 1.x */
export const eightGears1: Source = {
  called: 'the 8gears chart',
  defaults: {
    main: { autoscaling: { maxReplicas: 100 } },
    worker: { enabled: false, replicaCount: 1, autoscaling: { minReplicas: 1, maxReplicas: 100 } },
    webhook: { enabled: false, replicaCount: 1, autoscaling: { minReplicas: 1, maxReplicas: 100 } },
  },
  rules: {
    ...umbrella,
    ...same('image.repository', 'image.tag', 'image.pullPolicy'),
    ...dropped(ownNames, 'nameOverride', 'fullnameOverride'),
    ...pullSecrets,
    hostAliases: to('role.hostAliases'),
    ...ingress,
    ...dropped(unread, ...releaseZero),
    ...beside('worker'),
    'worker.concurrency': to('worker.concurrency'),
    ...beside('webhook'),
    ...under('main', part('main')),
    ...claimKeys('main.persistence', persistent, 'type', 'accessModes', 'size', 'storageClass', 'annotations'),
    'main.service.type': to('service.type'),
    'main.service.port': to('service.port'),
    'main.service.annotations': to('main.service.annotations'),
    ...dropped('The chart always makes the Service of main.', 'main.service.enabled'),
    ...dropped('The chart creates an account of its own.', 'main.serviceAccount.create', 'main.serviceAccount.name'),
    'main.serviceAccount.annotations': accountAnnotations,
    ...scaled('main'),
    ...scaled('worker', on('worker.enabled')),
    ...scaled('webhook', on('webhook.enabled')),
    valkey: dropBundledRedis,
    extraManifests: byHand(foreign),
    extraTemplateManifests: byHand(foreign),
  },
  inside: (all, release) => kubectlExec(`deployment/${fullname(all, release)}`),
  claim: (all, release) =>
    persistent.holds(all) ? String(valueAt(all, 'main.persistence.existingClaim') || fullname(all, release)) : null,
  finish: (draft, all) => {
    const queue = draft.get('executions.mode') === 'queue'
    const processors = on('webhook.enabled').holds(all)
    if (on('worker.enabled').holds(all) && !queue)
      draft.account.withdraw('executions.mode', 'Without effect there: EXECUTIONS_MODE is not queue.')
    if (queue && !processors) draft.set('webhook.replicas', 0)
    if (queue && !on('worker.enabled').holds(all)) draft.set('worker.replicas', 0)
    if (queue && processors && on('ingress.enabled').holds(all)) draft.change('ingress', formRoutes)
    if (!queue || !on('valkey.enabled').holds(all)) return
    draft.remove('redis', emptyFirst)
    draft.secrets.delete('QUEUE_BULL_REDIS_PASSWORD')
  },
}
