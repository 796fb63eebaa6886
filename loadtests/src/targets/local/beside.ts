import { join } from 'node:path'
import type { LabError } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import type { Limit } from '../../model/result.ts'
import type { RunningProcess } from '../../n8n/running.ts'
import { runContainer, type RunningContainer } from './container.ts'
import { openLog } from './log.ts'
import type { Post } from './machine.ts'
import { usageOf } from './usage.ts'

export interface BesideContainer {
  container: RunningContainer
  process: RunningProcess
  /** Has the process written this text? */
  said(text: string): boolean
}

const patience = 30_000
const none = { cpu: null, memory: null }

/** Starts a process of the lab itself: unless told otherwise without limits, on the generator's cores. */
export async function startBeside(
  name: string,
  argv: string[],
  env: Record<string, string>,
  { name: plan, order, machine, started }: Post,
  { limits = none, place = machine.placeBeside }: { limits?: Limit; place?: (argv: string[]) => string[] } = {},
): Promise<BesideContainer> {
  const box = await machine.limiter.box(`${plan}-${name}`, limits)
  const log = openLog(join(order.logs, `${name}.log`), machine.fail)
  // A sealed network shows the usual folders of programs, and perhaps none of PATH.
  const surroundings = { PATH: `${process.env.PATH ?? ''}:/usr/bin:/bin`, TMPDIR: machine.scratch.path, ...env }
  const container = runContainer(
    { name, argv: place(argv), env: surroundings, cwd: machine.scratch.path, grace: 0 },
    box,
    log,
    { onEvent: order.onEvent, track: machine.scratch.track, fail: machine.fail },
  )
  started(container)
  const usage = async () => usageOf(await box.cpuSeconds(), await container.pids())
  return {
    container,
    process: { name, limits, serves: false, usage },
    said: log.includes,
  }
}

export async function begun(
  { container }: BesideContainer,
  ask: () => Promise<boolean>,
  { order }: Post,
  refusal: (log: string[]) => LabError,
): Promise<void> {
  const outcome = await until(async () => (container.lastExit() ? 'ended' : ask()), {
    timeout: patience,
    every: 50,
    signal: order.signal,
  })
  order.signal.throwIfAborted()
  if (outcome !== true) throw refusal(container.lastExit()?.log ?? [])
}
