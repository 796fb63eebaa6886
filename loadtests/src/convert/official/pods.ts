import { valueAt } from '../../lib/values.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  serviceAccount,
  accountAnnotations,
  autoscaling,
  claimKeys,
  dns,
  formRoutes,
  grace,
  ingress,
  ownNames,
  placement,
  probes,
  resources,
  umbrella,
} from '../parts.ts'
import {
  both,
  byHand,
  drop,
  dropped,
  isOn,
  not,
  on,
  same,
  to,
  under,
  variable,
  variables,
  when,
  type Rules,
} from '../rules.ts'
import {
  keda,
  officialPersistent,
  officialProcessors,
  officialQueue,
  officialRunners,
  scaledBy,
  several,
} from './asked.ts'

const cookie = 'For several mains set the controller’s own annotation in ingress.annotations.'
const second =
  'There is one ingress here: add it to ingress.annotations if it may apply to the editor too, or give webhooks a host '
  + 'of their own in ingress.webhooks.'
const unread = 'The official chart has no such key, so it had no effect there.'
const policy = 'The chart has network policies of its own: docs/security.md.'

/** The official chart’s values for how many pods there are. */
const scaling: Rules = {
  'hpa.main': when(both(several, scaledBy('hpa.main.enabled')), autoscaling('main', 'minReplicas', 'maxReplicas')),
  'hpa.worker': when(
    both(officialQueue, scaledBy('hpa.worker.enabled')),
    autoscaling('worker', 'minReplicas', 'maxReplicas'),
  ),
  'hpa.webhookProcessor': when(
    both(officialProcessors, scaledBy('hpa.webhookProcessor.enabled')),
    autoscaling('webhook', 'minReplicas', 'maxReplicas'),
  ),
  'keda.enabled': (key) => {
    if (key.value === true) key.leadsTo('worker.autoscaling.by')
    else key.drop('It is off.')
  },
  'keda.worker': when(both(officialQueue, keda), autoscaling('worker', 'minReplicaCount', 'maxReplicaCount', 'queue')),
  'keda.webhookProcessor': when(both(officialProcessors, keda, on('keda.webhookProcessor.enabled')), (key) =>
    key.refuse('Webhook processors scale on CPU: set webhook.autoscaling.by to cpu.'),
  ),
  'pdb.enabled': to('role.pdb.enabled'),
  ...dropped('A drain takes one pod of a role at a time.', 'pdb.minAvailable', 'pdb.maxUnavailable'),
}

/** The official chart’s values for images, roles, pods, and access from outside. */
export const officialPods: Rules = {
  ...umbrella,
  ...same('image.repository', 'image.tag', 'image.pullPolicy', 'commonLabels', 'commonAnnotations'),
  imagePullSecrets: to('image.pullSecrets'),
  ...dropped(ownNames, 'nameOverride', 'fullnameOverride'),
  ...dropped('n8n does not call the Kubernetes API, so no pod gets rights for it.', 'rbac'),
  ...dropped(policy, 'networkPolicy.enabled'),
  ...dropped(probes, 'probes'),
  ...claimKeys(
    'persistence',
    officialPersistent,
    'size',
    'accessModes',
    'storageClassName',
    'storageClass',
    'annotations',
  ),

  'queueMode.enabled': (key) => key.set('executions.mode', key.value === true ? 'queue' : 'regular'),
  ...under(
    'queueMode',
    {
      workerReplicaCount: to('worker.replicas'),
      workerConcurrency: to('worker.concurrency'),
      workerExtraEnv: variables('worker'),
    },
    officialQueue,
  ),
  'webhookProcessor.enabled': when(officialQueue, (key) => {
    if (key.value === true) isOn(key)
    else key.set('webhook.replicas', 0)
  }),
  ...under(
    'webhookProcessor',
    { replicaCount: to('webhook.replicas'), extraEnv: variables('webhook') },
    officialProcessors,
  ),
  ...dropped('The chart sets it itself.', 'webhookProcessor.disableProductionWebhooksOnMainProcess'),
  'multiMain.enabled': when(officialQueue, isOn),
  ...under(
    'multiMain',
    {
      replicas: to('main.replicas'),
      'setup.keyTtl': variable('N8N_MULTI_MAIN_SETUP_KEY_TTL', 'main'),
      'setup.checkInterval': variable('N8N_MULTI_MAIN_SETUP_CHECK_INTERVAL', 'main'),
      antiAffinity: drop('Pods of one role are on different nodes where it is possible; main.affinity requires it.'),
      topologySpreadConstraints: byHand('Write the constraint itself in main.topologySpread.'),
    },
    several,
  ),
  replicaCount: when(not(several, 'multiMain.replicas says it'), to('main.replicas')),
  'strategy.type': when(officialQueue, to('main.strategy')),
  ...dropped('One pod more starts before one ends.', 'strategy.rollingUpdate'),
  podLabels: to('role.podLabels'),
  podAnnotations: to('role.podAnnotations'),

  'taskRunners.enabled': (key) => key.set('runner.mode', key.value === true ? 'external' : 'internal'),
  ...under(
    'taskRunners',
    {
      'image.repository': to('runner.image.repository'),
      'image.tag': to('runner.image.tag'),
      'image.pullPolicy': drop('image.pullPolicy is of every container.'),
      mode: drop('With a sidecar it is external.'),
      'authToken.existingSecret': (key) => {
        const name = valueAt(key.all, 'taskRunners.authToken.existingSecretKey') || 'N8N_RUNNERS_AUTH_TOKEN'
        if (!key.isEmpty) key.set('runner.token.existingSecret', { name: key.value, key: name })
      },
      'authToken.existingSecretKey': (key) => {
        if (!key.isEmpty) key.leadsTo('runner.token.existingSecret.key')
      },
      'authToken.value': drop('The chart makes a token, and gives it to n8n and to its runners.'),
      broker: drop('The chart sets it itself.'),
      'launcher.logLevel': variable('N8N_RUNNERS_LAUNCHER_LOG_LEVEL', 'runner'),
      'launcher.autoShutdownTimeout': variable('N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT', 'runner'),
      nativePythonRunner: drop('The sidecar runs Python too, as n8n’s own image does.'),
      resources: resources('runner'),
      extraEnv: variables('runner'),
      'customConfig.enabled': byHand('Put the launcher’s file into an image of yours, runner.image.'),
      'customConfig.configMapName': drop(
        'The launcher’s file goes into an image: see taskRunners.customConfig.enabled.',
      ),
      'customConfig.configMapKey': drop(
        'The launcher’s file goes into an image: see taskRunners.customConfig.enabled.',
      ),
    },
    officialRunners,
  ),

  ...same('service.type', 'service.port', 'service.annotations'),
  'service.main.annotations': to('main.service.annotations'),
  'service.webhookProcessor.annotations': when(officialProcessors, to('webhook.service.annotations')),
  'service.sessionAffinity.enabled': to('service.sticky'),
  ...dropped('service.sticky keeps one for three hours.', 'service.sessionAffinity.timeoutSeconds'),
  ...ingress,
  'ingress.sticky.enabled': when(on('ingress.enabled'), (key) => {
    if (key.value !== true) key.drop('It is off.')
    else if (several.holds(key.all)) key.refuse(cookie)
    else key.drop('With one main there is nothing to choose.')
  }),
  ...dropped('Their names are the controller’s own annotations here.', 'ingress.sticky'),
  'ingress.webhookProcessor.enabled': when(both(officialProcessors, on('ingress.enabled')), (key) => {
    if (key.value !== true) return key.drop('The one ingress sends webhooks to the processors.')
    key.leadsTo('ingress.enabled')
    key.change(formRoutes)
  }),
  ...under(
    'ingress.webhookProcessor',
    {
      className: drop('One ingress of class ingress.className has all routes.'),
      tls: drop('One ingress with the certificate of ingress.tls has all routes.'),
      annotations: (key) => {
        for (const annotation of key.each()) {
          const ofMain = (valueAt(key.all, 'ingress.annotations') ?? {}) as Record<string, unknown>
          if (isDeepStrictEqual(ofMain[annotation.name], annotation.value))
            annotation.drop('ingress.annotations has it.')
          else annotation.refuse(second)
        }
      },
    },
    both(officialProcessors, on('ingress.enabled'), on('ingress.webhookProcessor.enabled')),
  ),

  extraVolumes: to('role.extraVolumes'),
  extraVolumeMounts: to('role.extraVolumeMounts'),
  extraContainers: to('role.extraContainers'),
  extraInitContainers: to('role.extraInitContainers'),
  ...dns,
  'resources.main': resources('main'),
  'resources.worker': when(officialQueue, resources('worker')),
  'resources.webhookProcessor': when(officialProcessors, resources('webhook')),
  ...dropped('The official chart reads resources.main, so it had no effect there.', 'resources.requests'),
  ...dropped('The official chart reads resources.main, so it had no effect there.', 'resources.limits'),
  ...placement('', 'role'),
  ...placement('nodePlacement.main.', 'main'),
  ...placement('nodePlacement.worker.', 'worker'),
  ...placement('nodePlacement.webhookProcessor.', 'webhook'),
  'securityContext.fsGroup': to('role.podSecurityContext.fsGroup'),
  'securityContext.runAsUser': to('role.podSecurityContext.runAsUser'),
  'securityContext.runAsGroup': to('role.podSecurityContext.runAsGroup'),
  ...dropped('Pods satisfy Pod Security “restricted” here.', 'securityContext'),
  ...serviceAccount,
  'serviceAccount.awsRoleArn': (key) => {
    if (!key.isEmpty) accountAnnotations(key.as({ 'eks.amazonaws.com/role-arn': key.value }))
  },
  ...dropped(
    'n8n does not call the Kubernetes API, so no pod gets a token.',
    'serviceAccount.automountServiceAccountToken',
  ),
  'lifecycle.main.terminationGracePeriodSeconds': grace('main'),
  'lifecycle.worker.terminationGracePeriodSeconds': when(officialQueue, grace('worker')),
  'lifecycle.webhookProcessor.terminationGracePeriodSeconds': when(officialProcessors, grace('webhook')),
  ...dropped(
    'The chart pauses before n8n ends: shutdown.delaySeconds.',
    'lifecycle.main.preStop',
    'lifecycle.worker.preStop',
    'lifecycle.webhookProcessor.preStop',
  ),
  ...scaling,

  // What its own examples set, and it never read.
  ...dropped(`${unread} The chart has budgets of its own: role.pdb.`, 'podDisruptionBudget'),
  networkPolicy: (key) => (key.isEmpty ? undefined : key.drop(`${unread} ${policy}`)),
  monitoring: drop(`${unread} monitoring.podMonitor and monitoring.rules do it here.`),
  'executions.dataRetention': drop(`${unread} EXECUTIONS_DATA_* in role.extraEnv say it.`),
}
