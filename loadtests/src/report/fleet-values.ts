import { demandOf, mainCpu, rateWithin } from '../judge/fleet/model.ts'
import { connectionsOf, regularSize, smallest } from '../judge/fleet/plan.ts'
import { latency, perSecond } from '../lib/figures.ts'
import { asValuesFile, mergeValues } from '../lib/values.ts'
import type { Values } from '../model/experiment.ts'
import { exactness, sureSize, type FleetPlan } from './fleet-plan.ts'
import { withoutRedacted } from './values.ts'

/** Above the planned rate, for which the autoscaler may add pods. */
const peak = 1.5
/** The share of its CPU above which the autoscaler adds a pod: above what the plan uses. */
const busy = 0.85

/** Values for the chart: those that were measured, with as many replicas as the rate needs for sure. */
export function fleetValues(planned: FleetPlan, measured: Values, day: string): string | null {
  const { fleet, wanted } = planned
  const size = sureSize(planned)
  if (!size) return null
  const most = smallest(fleet, { ...wanted, rate: peak * wanted.rate }, { given: size }) ?? size
  const webhook = demandOf(fleet, 'webhook')!
  const worker = demandOf(fleet, 'worker')!
  const scaled = (least: number, max: number, cpu: number | null) => ({
    replicas: least,
    autoscaling: {
      by: 'cpu',
      min: least,
      max: Math.max(least + 1, max),
      ...(cpu !== null && { cpu: millicores(busy * cpu) }),
    },
  })
  const max = {
    ...most,
    worker: Math.max(most.worker, size.worker + 1),
    webhook: Math.max(most.webhook, size.webhook + 1),
  }
  const main = demandOf(fleet, 'main')
  // A rolling update has a quarter more of each for a while, and PostgreSQL keeps some for itself.
  const connections = connectionsOf(fleet, {
    ...max,
    main: size.main + Math.ceil(size.main / 4),
    worker: max.worker + Math.ceil(max.worker / 4),
    webhook: max.webhook + Math.ceil(max.webhook / 4),
  })
  const { values } = withoutRedacted(measured)
  const given = (values as { database?: { maxConnections?: number } }).database?.maxConnections ?? 100
  const own = mergeValues(values, {
    executions: { mode: 'queue' },
    ...(main && {
      main: { resources: { limits: { cpu: millicores(mainCpu(fleet, size, wanted.rate)) } } },
    }),
    worker: {
      ...(fleet.slots !== null && { concurrency: fleet.slots }),
      ...scaled(size.worker, max.worker, Math.min(size.workerCpu, worker.threads)),
      resources: resources(size.workerCpu, size.workerMemory || null),
    },
    webhook: {
      ...scaled(size.webhook, max.webhook, Math.min(webhook.cpu ?? webhook.threads, webhook.threads)),
      resources: resources(webhook.cpu, webhook.memory),
    },
    // Its alerts are for this fleet at its most, and not for the one that was measured.
    capacity: {
      rate: Number(rateWithin(fleet, max, wanted.p95).toPrecision(3)),
      safe: Number(rateWithin(fleet, max, wanted.p95, 'high').toPrecision(3)),
      workflow: fleet.workflow,
      date: day,
      seconds: null,
      workers: max.worker,
    },
    ...(connections !== null && connections + 3 > given && { database: { maxConnections: connections + 3 } }),
  })
  return (
    `# Helm values for n8n-tuned, from a capacity model: ${perSecond(wanted.rate)} of ${fleet.workflow}, p95 within `
    + `${latency(wanted.p95 * 1000)}.\n`
    + '# Nobody has measured this fleet: check it with n8n-tuned check before you rely on it.\n'
    + (planned.likely?.high ? '' : `# ${exactness(planned)} It may be too small.\n`)
    + (size.main > 1
      ? `# One main is busy at that rate: with a licence of n8n’s, set main.replicas to ${size.main}.\n`
      : '')
    + (connections !== null && connections + 3 > given
      ? '# All pods together may open database.maxConnections: PostgreSQL, or a pooler, has to allow them.\n'
      : '')
    + asValuesFile(own)
  )
}

/** Values for one n8n in regular mode, where that is enough. */
export function regularValues({ fleet, wanted }: FleetPlan, measured: Values, day: string): string {
  const { workerCpu, workerMemory } = regularSize
  const own = mergeValues(withoutRedacted(measured).values, {
    executions: { mode: 'regular' },
    main: { resources: resources(workerCpu, workerMemory) },
    capacity: {
      rate: Number(rateWithin(fleet, regularSize, wanted.p95).toPrecision(3)),
      safe: Number(rateWithin(fleet, regularSize, wanted.p95, 'high').toPrecision(3)),
      workflow: fleet.workflow,
      date: day,
      seconds: null,
    },
  })
  return (
    `# Helm values for n8n-tuned, from a capacity model: ${perSecond(wanted.rate)} of ${fleet.workflow}, p95 within `
    + `${latency(wanted.p95 * 1000)}.\n# Check it with n8n-tuned check before you rely on it.\n${asValuesFile(own)}`
  )
}

const resources = (cpu: number | null, bytes: number | null) => ({
  requests: { ...(cpu !== null && { cpu: millicores(cpu) }), ...(bytes !== null && { memory: mebibytes(bytes) }) },
  limits: { ...(cpu !== null && { cpu: millicores(cpu) }), ...(bytes !== null && { memory: mebibytes(bytes) }) },
})

const millicores = (cores: number) => `${Math.round(cores * 1000)}m`
const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)}Mi`
