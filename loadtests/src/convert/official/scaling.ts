import { autoscaling } from '../parts.ts'
import { both, dropped, on, to, when, type Rules } from '../rules.ts'
import { at } from '../values.ts'
import { keda, processors, queue, scaledBy, several } from './asked.ts'

/** The official chart’s values for how many pods there are. */
export const scaling: Rules = {
  'hpa.main': when(both(several, scaledBy('hpa.main.enabled')), autoscaling('main', 'minReplicas', 'maxReplicas')),
  'hpa.worker': when(both(queue, scaledBy('hpa.worker.enabled')), autoscaling('worker', 'minReplicas', 'maxReplicas')),
  'hpa.webhookProcessor': when(
    both(processors, scaledBy('hpa.webhookProcessor.enabled')),
    autoscaling('webhook', 'minReplicas', 'maxReplicas'),
  ),
  'keda.enabled': (key) => {
    if (key.value !== true) key.drop('It is off.')
    else if (at(key.all, 'keda.worker') === undefined) key.refuse('Say how many workers: worker.autoscaling by queue.')
    else key.leadsTo('worker.autoscaling.by')
  },
  'keda.worker': when(both(queue, keda), autoscaling('worker', 'minReplicaCount', 'maxReplicaCount', 'queue')),
  'keda.webhookProcessor': when(both(processors, keda, on('keda.webhookProcessor.enabled')), (key) =>
    key.refuse('Webhook processors scale on CPU: set webhook.autoscaling.by to cpu.'),
  ),
  'pdb.enabled': to('role.pdb.enabled'),
  ...dropped('A drain takes one pod of a role at a time.', 'pdb.minAvailable', 'pdb.maxUnavailable'),
}
