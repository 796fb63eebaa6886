import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IDataObject } from 'n8n-workflow'
import { median } from '../../../loadtests/src/judge/statistics.ts'
import { startCore, type Core } from '../../support/core.ts'
import type { Version } from '../../support/runtime.ts'

export interface Accuracy {
  version: Version
  operation: string
  told: number
  got: number
  unit: 'ms' | 'MiB'
}

/** What one execution takes of something. */
type Measure = (core: Core, parameters: IDataObject) => Promise<number>

const NOTHING = { operation: 'cpu', cpuAmount: 'count', cpuCount: 0 }
const TIMES = [10, 100, 1000, 10_000]
const SIZES = [16, 64, 256, 1024]

/** How well Load Target does what it is told on a real n8n-core, by the kernel's account and not by its own. */
export async function measureAccuracy(version: Version): Promise<Accuracy[]> {
  const core = await startCore(version)
  const rows: Accuracy[] = []
  try {
    await warmUp(core)
    for (const told of TIMES)
      rows.push({
        version,
        operation: 'wait',
        told,
        got: await beyondNothing(core, wallMs, wait(told), repeatsFor(told)),
        unit: 'ms',
      })
    for (const told of TIMES)
      rows.push({
        version,
        operation: 'cpu',
        told,
        got: await beyondNothing(core, cpuMs, cpu(told), repeatsFor(told)),
        unit: 'ms',
      })
    for (const kind of ['heap', 'buffers']) {
      for (const told of SIZES)
        rows.push({
          version,
          operation: `memory, ${kind}`,
          told,
          got: await medianOf(3, () => heldMiB(core, memory(told, kind))),
          unit: 'MiB',
        })
    }
  } finally {
    await core.stop()
  }
  return rows
}

const wait = (waitDuration: number) => ({ operation: 'wait', waitDuration, waitUnit: 'milliseconds' })
const cpu = (cpuTime: number) => ({ operation: 'cpu', cpuTime })
const memory = (memorySize: number, memoryKind: string, memoryTime = 0.3) => ({
  operation: 'memory',
  memorySize,
  memoryKind,
  memoryTime,
})

const repeatsFor = (ms: number) => (ms < 100 ? 31 : ms < 1000 ? 9 : ms < 10_000 ? 3 : 1)

async function warmUp(core: Core): Promise<void> {
  for (const parameters of [NOTHING, wait(1), cpu(50), memory(16, 'heap', 0), memory(16, 'buffers', 0)]) {
    for (let count = 0; count < 20; count++) await run(core, parameters)
  }
}

async function run(core: Core, parameters: IDataObject): Promise<void> {
  const { error } = await core.run({ parameters })
  if (error) throw new Error(error.message)
}

async function medianOf(repeats: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  while (values.length < repeats) values.push(await measure())
  return median(values)
}

/**
 * Without what an execution that does nothing takes: that is n8n's part, and the measurement's. By turns, so that both
 * meet the same machine.
 */
async function beyondNothing(core: Core, measure: Measure, work: IDataObject, repeats: number): Promise<number> {
  const nothing: number[] = []
  const got = await medianOf(repeats, async () => {
    nothing.push(await measure(core, NOTHING))
    return await measure(core, work)
  })
  return got - median(nothing)
}

const wallMs: Measure = async (core, parameters) => {
  const started = performance.now()
  await run(core, parameters)
  return performance.now() - started
}

/** CPU time of the process's main thread, on which nodes run. */
const cpuMs: Measure = async (core, parameters) => {
  const used = async () => Number((await readFile(`/proc/${core.pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6
  const before = await used()
  await run(core, parameters)
  return (await used()) - before
}

/** The figure, once it stays as it is: memory that was given back is gone from the process a while after. */
async function settled(read: () => Promise<number>): Promise<number> {
  for (let last = await read(); ;) {
    await sleep(200)
    const now = await read()
    if (Math.abs(now - last) < 0.1) return now
    last = now
  }
}

/** The most that the resident memory of the process grows by. */
const heldMiB: Measure = async (core, parameters) => {
  const resident = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${core.pid}/status`, 'utf8'))![1]) / 1024
  const before = await settled(resident)
  let most = before
  const watching = setInterval(async () => (most = Math.max(most, await resident())), 10)
  await run(core, parameters)
  clearInterval(watching)
  return most - before
}
