import { at, isEmpty } from '../draft.ts'
import { account, autoscaling, grace, ingress, placement, resources } from '../parts.ts'
import { both, byHand, ignored, nothing, same, to, under, variable, variables, when, type Rules } from '../rules.ts'
import { keda, processors, queue, runners, scaledBy, several } from './asked.ts'

/** The official chart’s values for images, roles, pods, and access from outside. */
export const pods: Rules = {
  ...same('image.repository', 'image.tag', 'image.pullPolicy', 'commonLabels', 'commonAnnotations'),
  ...ignored(
    'nameOverride',
    'fullnameOverride',
    'rbac',
    'networkPolicy.enabled',
    'probes',
    'persistence',
    'webhook.enabled',
  ),

  'queueMode.enabled': (value, draft) => draft.set('executions.mode', value === true ? 'queue' : 'regular'),
  ...under(
    'queueMode',
    {
      workerReplicaCount: to('worker.replicas'),
      workerConcurrency: to('worker.concurrency'),
      workerExtraEnv: variables('worker'),
    },
    queue,
  ),
  'webhookProcessor.enabled': (value, draft, all) => {
    if (queue(all) && value !== true) draft.set('webhook.replicas', 0)
  },
  ...under('webhookProcessor', { replicaCount: to('webhook.replicas'), extraEnv: variables('webhook') }, processors),
  'webhookProcessor.disableProductionWebhooksOnMainProcess': nothing,
  ...under(
    'multiMain',
    {
      replicas: to('main.replicas'),
      'setup.keyTtl': variable('N8N_MULTI_MAIN_SETUP_KEY_TTL', 'main'),
      'setup.checkInterval': variable('N8N_MULTI_MAIN_SETUP_CHECK_INTERVAL', 'main'),
    },
    several,
  ),
  multiMain: nothing,
  replicaCount: when((all) => !several(all), to('main.replicas')),
  ...under('strategy', { type: to('main.strategy') }, queue),
  strategy: nothing,
  podLabels: to('role.podLabels'),
  podAnnotations: to('role.podAnnotations'),

  'taskRunners.enabled': (value, draft) => draft.set('runner.mode', value === true ? 'external' : 'internal'),
  ...under(
    'taskRunners',
    {
      'image.repository': to('runner.image.repository'),
      'image.tag': to('runner.image.tag'),
      'authToken.existingSecret': (value, draft, all) => {
        const key = at(all, 'taskRunners.authToken.existingSecretKey') || 'N8N_RUNNERS_AUTH_TOKEN'
        if (!isEmpty(value)) draft.set('runner.token.existingSecret', { name: value, key })
      },
      resources: resources('runner'),
      extraEnv: variables('runner'),
      'customConfig.enabled': byHand('Put the launcher’s file into an image of yours, runner.image.'),
    },
    runners,
  ),
  taskRunners: nothing,

  ...same('service.type', 'service.port', 'service.annotations'),
  'service.main.annotations': to('main.service.annotations'),
  'service.webhookProcessor.annotations': to('webhook.service.annotations'),
  'service.sessionAffinity.enabled': to('service.sticky'),
  'service.sessionAffinity': nothing,
  ...ingress,
  'ingress.sticky.enabled': byHand('For several mains set the controller’s own annotation in ingress.annotations.'),
  ...ignored('ingress.sticky', 'ingress.webhookProcessor'),

  extraVolumes: to('role.extraVolumes'),
  extraVolumeMounts: to('role.extraVolumeMounts'),
  extraContainers: to('role.extraContainers'),
  extraInitContainers: to('role.extraInitContainers'),
  dnsPolicy: byHand('Pods keep the cluster’s DNS policy; role.dnsConfig adds to it.'),
  dnsConfig: to('role.dnsConfig'),
  'resources.main': resources('main'),
  ...under('resources', { worker: resources('worker') }, queue),
  ...under('resources', { webhookProcessor: resources('webhook') }, processors),
  ...placement('', 'role'),
  ...placement('nodePlacement.main.', 'main'),
  ...placement('nodePlacement.worker.', 'worker'),
  ...placement('nodePlacement.webhookProcessor.', 'webhook'),
  'securityContext.fsGroup': to('role.podSecurityContext.fsGroup'),
  'securityContext.runAsUser': to('role.podSecurityContext.runAsUser'),
  'securityContext.runAsGroup': to('role.podSecurityContext.runAsGroup'),
  securityContext: nothing,
  ...account,
  'serviceAccount.awsRoleArn': (value, draft, all, path) =>
    account['serviceAccount.annotations']!(value && { 'eks.amazonaws.com/role-arn': value }, draft, all, path),
  'serviceAccount.automountServiceAccountToken': nothing,
  'lifecycle.main.terminationGracePeriodSeconds': grace('main'),
  ...under('lifecycle.worker', { terminationGracePeriodSeconds: grace('worker') }, queue),
  ...under('lifecycle.webhookProcessor', { terminationGracePeriodSeconds: grace('webhook') }, processors),
  lifecycle: nothing,
  ...under(
    'hpa',
    { main: autoscaling('main', 'minReplicas', 'maxReplicas') },
    both(several, scaledBy('hpa.main.enabled')),
  ),
  ...under('hpa', { worker: autoscaling('worker', 'minReplicas', 'maxReplicas') }, scaledBy('hpa.worker.enabled')),
  ...under(
    'hpa',
    { webhookProcessor: autoscaling('webhook', 'minReplicas', 'maxReplicas') },
    both(processors, scaledBy('hpa.webhookProcessor.enabled')),
  ),
  ...under('keda', { worker: autoscaling('worker', 'minReplicaCount', 'maxReplicaCount', 'queue') }, keda),
  'keda.webhookProcessor.enabled': byHand('Webhook processors scale on CPU: set webhook.autoscaling.by to cpu.'),
  keda: nothing,
  'pdb.enabled': to('role.pdb.enabled'),
  pdb: nothing,
}
