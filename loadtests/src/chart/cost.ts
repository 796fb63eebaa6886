import type { Container, Plan } from './plan.ts'
import type { Price } from '../model/experiment.ts'

const gibibyte = 2 ** 30

/** The price of the limits of all containers, replicas included; null if one has no limit and could use any amount. */
export function planCost({ workloads }: Plan, price: Price): number | null {
  const costs = workloads.flatMap(({ replicas, containers }) =>
    containers.map((container) => ofContainer(container, price, replicas)),
  )
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
}

/** A limit whose price is 0 may be missing. */
function ofContainer({ limits: { cpu, memory } }: Container, price: Price, replicas: number): number | null {
  if ((cpu === null && price.cpu > 0) || (memory === null && price.memory > 0)) return null
  return replicas * ((cpu ?? 0) * price.cpu + ((memory ?? 0) / gibibyte) * price.memory)
}
