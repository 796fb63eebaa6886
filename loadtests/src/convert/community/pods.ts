import {
  serviceAccount,
  autoscaling,
  claimKeys,
  dns,
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
  drop,
  dropped,
  isOn,
  on,
  same,
  to,
  under,
  variable,
  variables,
  when,
  type ValuesCondition,
  type Rules,
} from '../rules.ts'
import { communityPersistent, communityProcessors, communityQueue, communityRunners, workers } from './asked.ts'

/** The package with its version, which the chart requires. */
const communityNode = /^(@[^/]+\/)?n8n-nodes-[^@]+@\d+\.\d+\.\d+/
const npmrc = 'Mount the .npmrc with role.extraVolumes, and name it in role.extraEnv.NPM_CONFIG_USERCONFIG.'
const packages = 'Put packages that are no community nodes, or have no exact version, into an image of yours.'

/** Values that each role has; those at the root apply to every role. */
const pod = (prefix: string, role: 'role' | 'main' | 'worker' | 'webhook'): Rules => ({
  [`${prefix}extraEnvVars`]: variables(role, (name) => name.toUpperCase()),
  [`${prefix}extraEnv`]: variables(role),
  [`${prefix}extraSecretNamesForEnvFrom`]: (key) => {
    for (const name of key.each()) name.add(`${role}.extraEnvFrom`, { secretRef: { name: name.value } })
  },
  [`${prefix}volumes`]: to(`${role}.extraVolumes`),
  [`${prefix}volumeMounts`]: to(`${role}.extraVolumeMounts`),
  [`${prefix}initContainers`]: to(`${role}.extraInitContainers`),
  [`${prefix}extraContainers`]: to(`${role}.extraContainers`),
  [`${prefix}affinity`]: to(`${role}.affinity`),
  [`${prefix}hostAliases`]: to(`${role}.hostAliases`),
  [`${prefix}runtimeClassName`]: to(`${role}.runtimeClassName`),
  ...dropped(probes, `${prefix}livenessProbe`, `${prefix}readinessProbe`, `${prefix}startupProbe`),
  [`${prefix}pdb.enabled`]: to(`${role}.pdb.enabled`),
  ...dropped('A drain takes one pod of a role at a time.', `${prefix}pdb`),
})

const scaled = (role: 'worker' | 'webhook', asked: ValuesCondition) =>
  when(both(asked, on(`${role}.autoscaling.enabled`)), autoscaling(role, 'minReplicas', 'maxReplicas'))

const waits = 'Pods wait for their database, their Redis and main here: role.wait.'
const main = ['volumeName', 'storageClass', 'accessMode', 'size', 'annotations', 'labels', 'mountPath', 'subPath']

/** The community chart’s values for images, roles, pods, and access from outside. */
export const communityPods: Rules = {
  ...umbrella,
  ...same('image.repository', 'image.tag', 'image.pullPolicy'),
  ...pullSecrets,
  ...dropped(ownNames, 'nameOverride', 'fullnameOverride'),
  ...dropped('Main is replaced, or rolled in queue mode: main.strategy. Other roles are rolled.', 'strategy'),
  ...dropped(waits, 'waitContainerSecurityContext'),
  revisionHistoryLimit: to('role.revisionHistoryLimit'),
  ...serviceAccount,
  podAnnotations: to('role.podAnnotations'),
  podLabels: to('role.podLabels'),
  podSecurityContext: to('role.podSecurityContext'),
  securityContext: to('role.securityContext'),
  ...same('service.type', 'service.port', 'service.annotations'),
  ...dropped('The chart makes the Services that each role needs.', 'service.enabled', 'service.name'),
  'service.labels': byHand('Put them into commonLabels, which every object gets.'),
  ...ingress,

  ...pod('', 'role'),
  ...placement('', 'role'),
  resources: resources('main'),
  ...dns,

  'main.count': to('main.replicas'),
  ...pod('main.', 'main'),
  'main.resources': resources('main'),
  ...claimKeys('main.persistence', communityPersistent, ...main),
  ...dropped(
    'Main is a Deployment here; the claim of their StatefulSet is used as it is.',
    'main.forceToUseStatefulset',
  ),

  'worker.mode': (key) => key.set('executions.mode', communityQueue.holds(key.all) ? 'queue' : 'regular'),
  ...under(
    'worker',
    {
      ...pod('', 'worker'),
      count: to('worker.replicas'),
      concurrency: to('worker.concurrency'),
      resources: resources('worker'),
      allNodes: byHand(
        'A worker on each node has no value: set worker.replicas, and worker.topologySpread over nodes.',
      ),
      'persistence.enabled': byHand('Workers have no volume: put what they need into an image of yours.'),
      persistence: drop('Workers have no volume here.'),
      forceToUseStatefulset: drop('Workers are a Deployment here.'),
      waitMainNodeReady: drop(waits),
    },
    workers,
  ),
  'worker.autoscaling': scaled('worker', workers),

  'webhook.mode': (key) => {
    if (communityProcessors.holds(key.all)) key.set('executions.mode', 'queue')
    else if (communityQueue.holds(key.all)) key.set('webhook.replicas', 0)
    else key.drop('In regular mode main answers webhooks.')
  },
  'webhook.url': to('webhookUrl'),
  ...under(
    'webhook',
    {
      ...pod('', 'webhook'),
      count: to('webhook.replicas'),
      resources: resources('webhook'),
      allNodes: byHand('A processor on each node has no value: set webhook.replicas, and webhook.topologySpread.'),
      mcp: drop('MCP needs no pod of its own here.'),
      waitMainNodeReady: drop(waits),
    },
    communityProcessors,
  ),
  'webhook.autoscaling': scaled('webhook', communityProcessors),

  'taskRunners.mode': to('runner.mode'),
  ...under('taskRunners', { broker: drop('The chart sets it itself.') }),
  ...under(
    'taskRunners.external',
    {
      'image.repository': to('runner.image.repository'),
      'image.tag': to('runner.image.tag'),
      'image.pullPolicy': drop('image.pullPolicy is of every container.'),
      mainNodeAuthToken: drop('The chart makes a token, and gives it to n8n and to its runners.'),
      workerNodeAuthToken: drop('The chart makes a token, and gives it to n8n and to its runners.'),
      autoShutdownTimeout: variable('N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT', 'runner'),
      port: drop('The chart sets it itself.'),
      nodeOptions: drop('The runner’s heap follows from its memory limit; runner.heap.megabytes sets it.'),
      resources: resources('runner'),
    },
    communityRunners,
  ),

  'nodes.external.packages': (key) => {
    for (const name of key.each()) {
      if (communityNode.test(String(name.value))) name.add('communityNodes.packages', name.value)
      else name.refuse(packages)
    }
  },
  'nodes.python.enabled': when(communityRunners, isOn),
  'nodes.python.external.packages': byHand(
    'Put Python packages into an image of yours, runner.image, and name them in runner.python.external.',
  ),
  ...dropped('The chart fetches community nodes itself, before n8n starts.', 'nodes.initContainer'),
  ...dropped('The chart fetches community nodes itself, before n8n starts.', 'nodes.external.persistence'),
  ...dropped('Python packages belong into an image.', 'nodes.python.persistence'),
  ...dropped('nodes.builtin.modules says which.', 'nodes.builtin.enabled'),
  'npmRegistry.url': when(on('npmRegistry.enabled'), to('communityNodes.registry')),
  'npmRegistry.enabled': isOn,
  'npmRegistry.secretName': when(on('npmRegistry.enabled'), byHand(npmrc)),
  'npmRegistry.secretKey': drop('It belongs to npmRegistry.secretName.'),
  'npmRegistry.customNpmrc': when(on('npmRegistry.enabled'), byHand(npmrc)),
  'pypiRegistry.enabled': byHand(packages),
  ...dropped('Python packages belong into an image.', 'pypiRegistry'),
  extraManifests: byHand(foreign),
  extraTemplateManifests: byHand(foreign),
}
