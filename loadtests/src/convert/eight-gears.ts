import type { Values } from '../profile/experiment.ts'
import { at, isMap } from './draft.ts'
import { autoscaling, foreign, grace, ingress, placement, resources } from './parts.ts'
import { both, byHand, ignored, on, same, to, under, variables, type Asked, type Rule, type Rules } from './rules.ts'
import { fullname, kubectl, type Source } from './source.ts'
import { takeSecret, takeVariable, type Role } from './variables.ts'

/** `{ db: { type: … } }` is the variable DB_TYPE. */
function flat(tree: unknown, prefix: string[] = []): [string, unknown][] {
  if (!isMap(tree)) return [[prefix.join('_').toUpperCase(), tree]]
  return Object.entries(tree).flatMap(([key, inner]) => flat(inner, [...prefix, key]))
}

const tree =
  (role: Role, take: typeof takeVariable): Rule =>
  (value, draft, _all, path) => {
    for (const [name, text] of flat(value ?? {})) take({ name, value: text, role, path }, draft)
  }

const start = 'Containers start n8n as the image does: put what this adds into an image of yours.'

/** Values that main, worker and webhook each have; main’s configuration applies to all of them. */
const part = (name: 'main' | 'worker' | 'webhook'): Rules => ({
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
  ...ignored(
    'enabled',
    'persistence',
    'deploymentStrategy',
    'deploymentAnnotations',
    'deploymentLabels',
    'serviceAccount',
  ),
  ...ignored('livenessProbe', 'readinessProbe', 'service', 'nameOverride', 'fullnameOverride', 'autoscaling'),
})

const scaled = (name: 'main' | 'worker' | 'webhook', asked: Asked) =>
  under(name, { autoscaling: autoscaling(name, 'minReplicas', 'maxReplicas') }, asked)

/** 8gears/n8n-helm-chart, charts/n8n, releases 1.x */
export const eightGears: Source = {
  called: 'the 8gears chart',
  defaults: { worker: { enabled: false }, webhook: { enabled: false } },
  rules: {
    ...same('image.repository', 'image.tag', 'image.pullPolicy'),
    ...ignored('nameOverride', 'fullnameOverride', 'valkey'),
    imagePullSecrets: to('image.pullSecrets'),
    hostAliases: to('role.hostAliases'),
    ...ingress,
    ...under('main', part('main')),
    'main.service.type': to('service.type'),
    'main.service.port': to('service.port'),
    'main.service.annotations': to('main.service.annotations'),
    'main.serviceAccount.annotations': to('serviceAccount.annotations'),
    ...under('worker', { ...part('worker'), concurrency: to('worker.concurrency') }, on('worker.enabled')),
    ...under('webhook', part('webhook'), on('webhook.enabled')),
    ...scaled('main', on('main.autoscaling.enabled')),
    ...scaled('worker', both(on('worker.enabled'), on('worker.autoscaling.enabled'))),
    ...scaled('webhook', both(on('webhook.enabled'), on('webhook.autoscaling.enabled'))),
    extraManifests: byHand(foreign),
    extraTemplateManifests: byHand(foreign),
  },
  inside: (all, release) => kubectl(`deployment/${fullname(all, release)}`),
  claim: (all, release) =>
    persistent(all) ? String(at(all, 'main.persistence.existingClaim') || fullname(all, release)) : null,
  finish: (draft, all) => {
    const queue = draft.get('executions.mode') === 'queue'
    if (queue && !on('webhook.enabled')(all)) draft.set('webhook.replicas', 0)
    if (!queue || !on('valkey.enabled')(all)) return
    delete draft.values.redis
    draft.note('changed', 'valkey', 'The queue is in a Redis of this chart: let the old queue run empty first.')
  },
}

function persistent(all: Values): boolean {
  const type = at(all, 'main.persistence.type') ?? 'emptyDir'
  return on('main.persistence.enabled')(all) && type !== 'emptyDir'
}
