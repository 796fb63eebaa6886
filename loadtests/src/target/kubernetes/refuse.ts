import type { Plan } from '../../chart/plan.ts'
import type { Values } from '../../profile/experiment.ts'
import { clusterErrors } from './errors.ts'

/** Refuses values that would reach beyond the lab's own namespace, or make figures that fit no single plan. */
export function refuseWhatReachesOut({ values }: Pick<Plan, 'values'>): void {
  for (const store of ['database', 'redis']) {
    if (at(values, store, 'type') === 'external') {
      throw clusterErrors.notInThisCluster(
        `${store}.type external`,
        `The lab imports workflows and loads them: set ${store}.type to embedded, or measure the n8n that `
          + 'runs with --target URL.',
      )
    }
  }
  for (const role of ['role', 'main', 'worker', 'webhook']) {
    const by = at(values, role, 'autoscaling', 'by')
    if (by !== undefined && by !== 'none')
      throw clusterErrors.notInThisCluster(
        `${role}.autoscaling.by ${by}`,
        `While the number of pods changes, figures fit no plan: set ${role}.autoscaling.by to none and `
          + `${role}.replicas.`,
      )
  }
}

function at(values: Values, ...path: string[]): unknown {
  return path.reduce<any>((inner, key) => inner?.[key], values)
}
