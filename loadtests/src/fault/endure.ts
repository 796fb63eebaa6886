import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { traceStep } from '../load/k6.ts'
import { faults } from './fault-table.ts'
import { nameOf, type Fault } from './faults.ts'
import type { Running, Target } from '../targets/target.ts'
import type { Called } from '../n8n/executions.ts'
import { ageQueue } from '../n8n/queue.ts'
import { inflict } from './inflict.ts'
import { judgeFate, serviceOf } from './oracle.ts'
import { watchReadiness } from './readiness.ts'
import { refuseOthersAt } from './refuse.ts'
import { looksAt } from './timeline.ts'
import { brokenBy, outcomePatience, patience } from './verdict.ts'
import { watchExecutions } from './watch-executions.ts'
import type { PlannedStep } from '../model/step.ts'
import type { Endured } from '../model/fault.ts'

export interface Order {
  fault: Fault
  /** The requests, and the address they go to. */
  load: Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'>
  /** The workflows that they go to. */
  called: Called[]
  rate: number
  running: Running
  target: Target
  signal: AbortSignal
  onProgress(line: string): void
}

/**
 * Seconds of steady load before a fault and after it: long enough for service to come back, and to show that it stays.
 */
const before = 20
const after = patience + 10

/**
 * Drives a steady load, causes the fault, ends it, and waits until nothing is under way. Returns the outcome of each
 * request.
 */
export async function endure({
  fault,
  load,
  called,
  rate,
  running,
  target,
  signal,
  onProgress,
}: Order): Promise<Endured> {
  const name = nameOf(fault)
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
    { generator: target.generator, signal: ended },
  )
  try {
    onProgress(`${name}: ${rate}/s before the fault`)
    await Promise.race([setTimeout(1000 * before, undefined, { signal: ended }), sent])
    const from = Date.now()
    onProgress(`${name}: ${faults[fault.name].does}`)
    const end = await inflict(fault, running)
    try {
      // A rolling restart already uses up part of that time.
      await setTimeout(Math.max(0, from + 1000 * fault.seconds - Date.now()), undefined, { signal })
    } finally {
      await end()
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
      does: faults[fault.name].does,
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
