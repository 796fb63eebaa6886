import { account, autoscaling, foreign, ingress, placement, resources } from '../parts.ts'
import {
  byHand,
  ignored,
  nothing,
  on,
  both,
  same,
  to,
  under,
  variables,
  when,
  type Rules,
  type Asked,
} from '../rules.ts'
import { processors, queue, runners } from './asked.ts'

/** The package with its version, which the chart requires. */
const communityNode = /^(@[^/]+\/)?n8n-nodes-[^@]+@\d+\.\d+\.\d+/
const packages = 'Put packages that are no community nodes, or have no exact version, into an image of yours.'

/** Values that each role has; those at the root apply to every role. */
const pod = (prefix: string, role: 'role' | 'main' | 'worker' | 'webhook'): Rules => ({
  [`${prefix}extraEnvVars`]: variables(role, (name) => name.toUpperCase()),
  [`${prefix}extraEnv`]: variables(role),
  [`${prefix}extraSecretNamesForEnvFrom`]: (value, draft) => {
    const names = Array.isArray(value) ? value : []
    if (names.length > 0)
      draft.set(
        `${role}.extraEnvFrom`,
        names.map((name) => ({ secretRef: { name } })),
      )
  },
  [`${prefix}volumes`]: to(`${role}.extraVolumes`),
  [`${prefix}volumeMounts`]: to(`${role}.extraVolumeMounts`),
  [`${prefix}initContainers`]: to(`${role}.extraInitContainers`),
  [`${prefix}extraContainers`]: to(`${role}.extraContainers`),
  [`${prefix}affinity`]: to(`${role}.affinity`),
  [`${prefix}hostAliases`]: to(`${role}.hostAliases`),
  [`${prefix}runtimeClassName`]: to(`${role}.runtimeClassName`),
  [`${prefix}livenessProbe`]: nothing,
  [`${prefix}readinessProbe`]: nothing,
  [`${prefix}startupProbe`]: nothing,
  [`${prefix}pdb.enabled`]: to(`${role}.pdb.enabled`),
  [`${prefix}pdb`]: nothing,
})

const scaled = (role: 'worker' | 'webhook', asked: Asked): Rules => ({
  ...under(
    role,
    { autoscaling: autoscaling(role, 'minReplicas', 'maxReplicas') },
    both(asked, on(`${role}.autoscaling.enabled`)),
  ),
})

/** The community chart’s values for images, roles, pods, and access from outside. */
export const pods: Rules = {
  ...same('image.repository', 'image.tag', 'image.pullPolicy'),
  imagePullSecrets: to('image.pullSecrets'),
  ...ignored('nameOverride', 'fullnameOverride', 'strategy', 'waitContainerSecurityContext'),
  revisionHistoryLimit: to('role.revisionHistoryLimit'),
  ...account,
  'serviceAccount.automount': nothing,
  podAnnotations: to('role.podAnnotations'),
  podLabels: to('role.podLabels'),
  podSecurityContext: to('role.podSecurityContext'),
  securityContext: to('role.securityContext'),
  ...same('service.type', 'service.port', 'service.annotations'),
  ...ignored('service.enabled', 'service.name'),
  ...ingress,

  ...pod('', 'role'),
  ...placement('', 'role'),
  resources: resources('main'),
  dnsPolicy: byHand('Pods keep the cluster’s DNS policy; role.dnsConfig adds to it.'),
  dnsConfig: to('role.dnsConfig'),

  'main.count': to('main.replicas'),
  ...pod('main.', 'main'),
  'main.resources': resources('main'),
  ...ignored('main.persistence', 'main.forceToUseStatefulset'),

  'worker.mode': (_value, draft, all) => draft.set('executions.mode', queue(all) ? 'queue' : 'regular'),
  ...under(
    'worker',
    {
      ...pod('', 'worker'),
      count: to('worker.replicas'),
      concurrency: to('worker.concurrency'),
      resources: resources('worker'),
    },
    queue,
  ),
  ...scaled('worker', queue),
  'worker.allNodes': byHand(
    'A worker on each node has no value: set worker.replicas, and worker.topologySpread over nodes.',
  ),
  'worker.persistence.enabled': byHand('Workers have no volume: put what they need into an image of yours.'),
  ...ignored('worker.persistence', 'worker.waitMainNodeReady', 'worker.forceToUseStatefulset', 'worker.autoscaling'),

  'webhook.mode': (_value, draft, all) => {
    if (queue(all) && !processors(all)) draft.set('webhook.replicas', 0)
  },
  'webhook.url': to('webhookUrl'),
  ...under(
    'webhook',
    { ...pod('', 'webhook'), count: to('webhook.replicas'), resources: resources('webhook') },
    processors,
  ),
  ...scaled('webhook', processors),
  'webhook.allNodes': byHand(
    'A processor on each node has no value: set webhook.replicas, and webhook.topologySpread over nodes.',
  ),
  ...ignored('webhook.mcp', 'webhook.waitMainNodeReady', 'webhook.autoscaling'),

  'taskRunners.mode': to('runner.mode'),
  ...under(
    'taskRunners.external',
    {
      'image.repository': to('runner.image.repository'),
      'image.tag': to('runner.image.tag'),
      resources: resources('runner'),
    },
    runners,
  ),
  taskRunners: nothing,

  'nodes.external.packages': (value, draft, all, path) => {
    const names = (Array.isArray(value) ? value : []).map(String)
    const nodes = names.filter((name) => communityNode.test(name))
    to('communityNodes.packages')(nodes, draft, all, path)
    if (nodes.length < names.length) draft.note('left', path, packages)
  },
  'nodes.python.enabled': byHand(
    'The runner’s image has Python: put its packages and the allowed ones into an image of yours, runner.image.',
  ),
  'nodes.python.external.packages': byHand(packages),
  ...ignored('nodes.initContainer', 'nodes.external.persistence', 'nodes.python.persistence', 'nodes.builtin.enabled'),
  'npmRegistry.url': when(on('npmRegistry.enabled'), to('communityNodes.registry')),
  'pypiRegistry.enabled': byHand(packages),
  ...ignored('npmRegistry', 'pypiRegistry'),
  extraManifests: byHand(foreign),
  extraTemplateManifests: byHand(foreign),
}
