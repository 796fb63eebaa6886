import { causeOf, type Fault } from './faults.ts'
import type { Running } from '../targets/target.ts'
import { harmPostgresql, harmRedis } from './harm-store.ts'
import { faultElsewhere, noFaultsThere, refuseOthersAt } from './refuse.ts'

/** Begins a fault; returns a function that ends it. */
export async function inflict(fault: Fault, running: Running): Promise<() => Promise<void>> {
  const { disturb, upgrade, settings } = running
  const cause = causeOf(fault)
  refuseOthersAt(running)
  if (!disturb || !settings) throw noFaultsThere()
  if (cause.by === 'process') return disturb(cause)
  if (cause.by === 'upgrade') {
    if (!upgrade) throw faultElsewhere('a cluster: --target kubernetes')
    await upgrade(fault.tag!)
    return async () => {}
  }
  if (cause.by === 'postgresql') return harmPostgresql(cause.how, settings)
  const end = await harmRedis(cause.how, fault.seconds, settings)
  if (cause.how !== 'empty') return end
  // Redis is emptied and started again, so it also forgets what n8n had stored in it.
  await disturb({ component: 'redis', replicas: 'one', how: 'kill' })
  return end
}
