import type { Workload } from '../../chart/plan.ts'

/**
 * Pure: assigns pods to replicas. A pod keeps its slot while it exists. A later pod takes a free slot and continues the
 * figures of `worker-1`.
 */
export function assign(
  workloads: Pick<Workload, 'component' | 'replicas'>[],
  pods: any[],
  before: Map<string, any>,
): Map<string, any> {
  const slots = new Map<string, any>()
  for (const { component, replicas } of workloads) {
    const ours = pods.filter(
      ({ metadata }) =>
        metadata.labels?.['app.kubernetes.io/component'] === component
        && !metadata.labels?.['batch.kubernetes.io/job-name'],
    )
    const names = Array.from({ length: replicas }, (_, index) => `${component}-${index}`)
    for (const name of names) {
      const still = ours.find(({ metadata }) => metadata.uid === before.get(name)?.metadata.uid)
      if (still) slots.set(name, still)
    }
    const placed = new Set([...slots.values()].map(({ metadata }) => metadata.uid))
    const rest = ours.filter(({ metadata }) => !placed.has(metadata.uid) && !metadata.deletionTimestamp).sort(byAge)
    for (const name of names) if (!slots.has(name) && rest.length) slots.set(name, rest.shift())
  }
  return slots
}

const byAge = (a: any, b: any) => ageOf(a).localeCompare(ageOf(b))
const ageOf = ({ metadata }: any) => `${metadata.creationTimestamp} ${metadata.name}`
