import type { Endured } from '../model/fault.ts'
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { faultErrors } from './fault-errors.ts'
import { faults } from './fault-table.ts'
import { nameOf, type Fault } from './faults.ts'
import { loadErrors } from '../load/load-errors.ts'
import type { Running, Target } from '../targets/target.ts'
import { ageQueue } from '../n8n/queue.ts'
import { inflict } from './inflict.ts'
import { judgeFate, serviceOf, type Traced } from './oracle.ts'
import { watchReadiness } from './readiness.ts'
import { refuseOthersAt } from './refuse.ts'
import { looksAt } from './timeline.ts'
import { brokenBy, outcomePatience, patience } from './verdict.ts'
import { watchExecutions } from './watch-executions.ts'
import type { PlannedStep } from '../model/step.ts'
import { requestsOf } from '../load/requests.ts'

export interface Order {
  fault: Fault
  /** The requests, and the address they go to. */
  load: Pick<PlannedStep, 'url' | 'method' | 'requests' | 'mix' | 'tables'>
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
export async function endure({ fault, load, rate, running, target, signal, onProgress }: Order): Promise<Endured> {
  const name = nameOf(fault)
  const trace = `ntr-${randomBytes(6).toString('hex')}`
  refuseOthersAt(running)
  await ageQueue(running.settings!)
  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])
  const readiness = watchReadiness(running.processes)
  const executions = watchExecutions(trace, running, signal)
  const sent = send(
    trace,
    { load, rate, duration: before + fault.seconds + after, timeout: fault.seconds + outcomePatience },
    target,
    ended,
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
    const fate = judgeFate(requests, await executions.settled())
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
    executions.stop()
    stop.abort()
    await sent.catch(() => {})
  }
}

/** All requests, one by one. */
async function send(
  trace: string,
  { load, rate, duration, timeout }: { load: Order['load']; rate: number; duration: number; timeout: number },
  { generator }: Target,
  signal: AbortSignal,
): Promise<Traced[]> {
  const env = {
    URL: load.url,
    METHOD: load.method,
    RATE: String(rate),
    DURATION: String(duration),
    TIMEOUT: String(timeout),
    CLIENTS: String(Math.ceil(rate * (timeout + 5))),
    TRACE: trace,
    SEED: String(randomInt(2 ** 31)),
    ...(load.tables?.length && { TABLES: String(load.tables.length) }),
  }
  const { told, failed, killed, ended, log } = await generator.run({
    scenario: 'open',
    env,
    requests: requestsOf({ ...load, timeout, duration, shape: { kind: 'constant', rate } }),
    told: true,
    signal,
  })
  if (killed) throw loadErrors.generatorLost(ended, log)
  if (failed) throw loadErrors.generatorFailed(ended, log)
  if (!told) throw faultErrors.noFaultsThere()
  return told.map((line) => tracedIn(line, log))
}

/** A line that ends early is one of a k6 that could not write, or was ended while it wrote. */
function tracedIn(line: string, log: string[]): Traced {
  try {
    return JSON.parse(line) as Traced
  } catch {
    throw loadErrors.generatorFailed('a list of requests that is cut short', log)
  }
}
