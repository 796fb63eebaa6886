import type { Container } from '../../chart/plan.ts'
import { machineNetwork } from './network.ts'
import { commandFor, type Pod } from './pod.ts'
import type { PlanContext } from './start-pod.ts'

/** n8n's settings with addresses at which the lab reaches its database and queue, whatever n8n runs in. */
export function settingsFromHere(
  pod: Pod,
  container: Container,
  { imageOf, services }: Pick<PlanContext, 'imageOf' | 'services'>,
): Record<string, string> {
  const { env } = commandFor(pod, container, imageOf(container), services)
  // The lab reaches the plan's loopback at another address.
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value === machineNetwork.address ? pod.network.address : value]),
  )
}
