import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failProcess } from '../../../loadtests/src/lib/repeat.ts'
import { nodeBalancer } from '../../../loadtests/src/targets/local/balancer.ts'
import type { Post } from '../../../loadtests/src/targets/local/machine.ts'
import { availableCores, divideCores, onCores } from '../../../loadtests/src/targets/local/cores.ts'
import { chooseLimiter } from '../../../loadtests/src/targets/local/limits/choose.ts'
import { processEngine } from '../../../loadtests/src/targets/local/engine.ts'
import { makeScratch } from '../../../loadtests/src/targets/local/scratch.ts'
import type { TargetEvent } from '../../../loadtests/src/model/event.ts'

export interface Posted extends Post {
  events: TargetEvent[]
  close(): Promise<void>
}

/** Where a balancer of a plan is started, on this machine. */
export async function makePost(): Promise<Posted> {
  const limiter = await chooseLimiter()
  const scratch = await makeScratch()
  const cores = divideCores(await availableCores())
  const folder = join(scratch.path, 'plan')
  await mkdir(folder, { recursive: true })
  const events: TargetEvent[] = []
  const stops: (() => Promise<void>)[] = []
  const order = {
    logs: scratch.path,
    signal: new AbortController().signal,
    onEvent: (event: TargetEvent) => void events.push(event),
  }
  return {
    name: 'plan',
    folder,
    order,
    machine: {
      limiter,
      scratch,
      outside: null,
      sealing: null,
      fail: failProcess,
      openBalancer: nodeBalancer,
      engine: processEngine(limiter, () => cores.target),
      placeBeside: (argv) => onCores(cores.generator, argv),
      opened: () => {},
      register: () => {},
    },
    started: ({ stop }) => void stops.push(stop),
    events,
    async close() {
      for (const stop of stops) await stop()
      await limiter.close()
      await scratch.remove()
    },
  }
}
