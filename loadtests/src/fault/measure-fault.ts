import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { quantile } from 'simple-statistics'
import { traceStep, type Traced } from '../load/k6.ts'
import { causeOfFault, knownFaults, faultName, type Fault } from './faults.ts'
import type { Generator } from '../load/generator.ts'
import type { Running, RunningProcess } from '../n8n/running.ts'
import type { Called } from '../n8n/executions.ts'
import { ageQueue } from '../n8n/queue.ts'
import { brokenBy, firstOf, judgeFate, lastOf, outcomePatience, patience, serviceOf } from './oracle.ts'
import { noFaultsThere, refuseOthersAt } from './refuse.ts'
import { watchExecutions } from './watch-executions.ts'
import type { PlannedStep } from '../model/step.ts'
import { faultElsewhere, type FaultEffects, type Moment, type Unready } from '../model/fault.ts'
import { injectIntoPostgresql, injectIntoRedis } from './store-faults.ts'

interface Order {
  fault: Fault
  /** The requests, and the address they go to. */
  load: Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'>
  /** The workflows that they go to. */
  called: Called[]
  rate: number
  running: Running
  generator: Generator
  signal: AbortSignal
  onProgress(line: string): void
}

/**
 * Seconds of steady load before a fault and after it: long enough for service to come back, and to show that it stays.
 */
const before = 20
const after = patience + 10

/**
 * Drives a steady load, injects the fault, recovers from it, and waits until nothing is under way. Returns the outcome
 * of each request.
 */
export async function measureFault({
  fault,
  load,
  called,
  rate,
  running,
  generator,
  signal,
  onProgress,
}: Order): Promise<FaultEffects> {
  const name = faultName(fault)
  const trace = `ntr-${randomBytes(6).toString('hex')}`
  refuseOthersAt(running)
  await ageQueue(running.settings!)
  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])
  const executions = await watchExecutions({ called, trace }, running, signal)
  const readiness = watchReadiness(running.processes)
  const sent = traceStep(
    {
      ...load,
      timeout: fault.seconds + outcomePatience,
      duration: before + fault.seconds + after,
      shape: { kind: 'constant', rate },
      seed: randomInt(2 ** 31),
    },
    trace,
    { generator, signal: ended },
  )
  try {
    onProgress(`${name}: ${rate}/s before the fault`)
    await Promise.race([setTimeout(1000 * before, undefined, { signal: ended }), sent])
    const from = Date.now()
    onProgress(`${name}: ${knownFaults[fault.name].does}`)
    const recover = await injectFault(fault, running)
    try {
      // A rolling restart already uses up part of that time.
      await setTimeout(Math.max(0, from + 1000 * fault.seconds - Date.now()), undefined, { signal })
    } finally {
      await recover()
    }
    const to = Date.now()
    onProgress(`${name}: over, ${rate}/s go on`)
    const requests = await sent
    onProgress(`${name}: looking for every request in n8n’s database`)
    const settled = await executions.settled()
    const fate = judgeFate(requests, settled.executions, settled.gone)
    const service = serviceOf(requests, from, to)
    return {
      fault: name,
      does: knownFaults[fault.name].does,
      rate,
      from,
      to,
      fate,
      service,
      unready: readiness.stop(),
      broken: brokenBy(fate, service),
      timeline: looksAt(requests),
    }
  } finally {
    readiness.stop()
    stop.abort()
    await sent.catch(() => {})
    await executions.stop()
  }
}

/** Injects a fault; returns a function that recovers from it. */
export async function injectFault(fault: Fault, running: Running): Promise<() => Promise<void>> {
  const { inject, upgrade, settings } = running
  const cause = causeOfFault(fault)
  refuseOthersAt(running)
  if (!inject || !settings) throw noFaultsThere()
  if (cause.by === 'process') return inject(cause)
  if (cause.by === 'upgrade') {
    if (!upgrade) throw faultElsewhere()
    await upgrade(fault.tag!)
    return async () => {}
  }
  if (cause.by === 'postgresql') return injectIntoPostgresql(cause.how, settings)
  const recover = await injectIntoRedis(cause.how, fault.seconds, settings)
  if (cause.how !== 'empty') return recover
  // Redis is emptied and started again, so it also forgets what n8n had stored in it.
  await inject({ component: 'redis', replicas: 'one', how: 'kill' })
  return recover
}

/** Asks each process every second whether it is ready. */
function watchReadiness(processes: RunningProcess[], every = 1000): { stop(): Unready[] } {
  const seconds = new Map<string, number>()
  const asked = processes.filter(({ isReady }) => isReady)
  const timer = setInterval(() => {
    for (const { name, isReady } of asked) {
      const asked = isReady!().catch(() => false)
      void asked.then((ready) => ready || seconds.set(name, (seconds.get(name) ?? 0) + every / 1000))
    }
  }, every)
  return {
    stop() {
      clearInterval(timer)
      return [...seconds].map(([process, sum]) => ({ process, seconds: sum }))
    },
  }
}

export function looksAt(requests: Traced[]): Moment[] {
  if (requests.length === 0) return []
  const first = firstOf(requests)
  const bySecond = Map.groupBy(requests, ({ began }) => Math.floor((began - first) / 1000))
  const count = (some: Traced[], which: Traced['outcome']) => some.filter(({ outcome }) => outcome === which).length
  const seconds = Math.floor((lastOf(requests) - first) / 1000) + 1
  return Array.from({ length: seconds }, (_, second) => {
    const some = bySecond.get(second) ?? []
    const taken = some.filter(({ outcome }) => outcome === 'accepted').map((request) => request.taken)
    return {
      at: first + 1000 * second,
      accepted: count(some, 'accepted'),
      refused: count(some, 'refused'),
      unanswered: count(some, 'unanswered'),
      p95: taken.length ? quantile(taken, 0.95) : null,
    }
  })
}
