import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fail } from '../../lib/repeat.ts'
import { groupMembers, killAll, killGroup, signal } from '../../lib/processes.ts'
import type { Exit, TargetEvent } from '../../model/event.ts'
import type { Box } from './limits/limiter.ts'
import { openLog, type ContainerLog } from './log.ts'
import type { Command } from './pod.ts'

export interface ContainerSpec {
  name: string
  argv: string[]
  env: Record<string, string>
  cwd: string
  /** Seconds between SIGTERM and SIGKILL; 0 sends SIGKILL at once. */
  grace: number
}

export interface Watcher {
  onEvent(event: TargetEvent): void
  /** Writes down its process group. */
  track(pid: number): void
  fail: Fail
}

/** What the lab can do to a container on this machine. */
export type ContainerFault = 'kill' | 'end' | 'interrupt' | 'hold' | 'freeze'

/** Starts a container again whenever it ends, as a kubelet does. */
export interface RunningContainer {
  restarts(): number
  pids(): Promise<number[]>
  /** Its first process. */
  leader(): number | undefined
  lastExit(): Exit | null
  /** The last lines of its log. */
  lastLines(): string[]
  /** Injects a fault; returns a function that recovers from it. */
  inject(how: ContainerFault): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/**
 * Kubernetes waits 10 s and doubles the wait. A measurement cannot wait so long, and its n8n did not crash at its
 * start.
 */
const restartDelay = 1000

const signalFor = { kill: 'SIGKILL', hold: 'SIGKILL', end: 'SIGTERM', interrupt: 'SIGINT' } as const

export function runContainer(
  spec: ContainerSpec,
  box: Box,
  log: ContainerLog,
  { onEvent, track, fail }: Watcher,
): RunningContainer {
  let child: ChildProcess
  let restarts = 0
  let stopping = false
  let lastExit: Exit | null = null
  let oomKills = 0
  const begin = () => start().catch(fail)
  let ended: Promise<void> = begin()
  let timer: NodeJS.Timeout | undefined
  let held: Promise<void> | undefined

  async function start(): Promise<void> {
    log.mark()
    const [command, ...args] = box.wrap(spec.argv)
    // Its own process group, so that Ctrl-C in a terminal reaches only the lab, which then ends everything in order.
    child = spawn(command!, args, { cwd: spec.cwd, env: spec.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = once(child, 'exit').catch(() => [null, null])
    const closed = once(child, 'close').catch(() => {})
    if (child.pid) noteGroup(child.pid)
    log.follow(child.stdout!)
    log.follow(child.stderr!)
    onEvent({ at: Date.now(), process: spec.name, kind: 'started' })
    const [code, signalName] = await exited
    // A container ends with its first process. Others, such as forked executions, could keep its output open for long.
    await killRest()
    await closed
    lastExit = await classify(code, signalName)
    onEvent({ at: Date.now(), process: spec.name, kind: 'exited', exit: lastExit })
    if (stopping) return
    timer = setTimeout(async () => {
      await held
      if (stopping) return
      restarts++
      ended = begin()
    }, restartDelay)
  }

  /** It is stopped all the same, though a later run could not find it if this one were killed now. */
  function noteGroup(pid: number): void {
    try {
      track(pid)
    } catch (error) {
      fail(error)
    }
  }

  async function classify(code: number | null, signalName: string | null): Promise<Exit> {
    const kills = await box.oomKills()
    const killedForMemory = kills > oomKills && (signalName === 'SIGKILL' || code === 137)
    oomKills = kills
    const heap = log.includes('JavaScript heap out of memory') || log.includes('Reached heap limit')
    const reason = stopping ? 'stopped' : killedForMemory ? 'oom-killed' : heap ? 'heap-exhausted' : 'crashed'
    return { reason, code, signal: signalName, log: log.tail() }
  }

  const pids = async () => (await box.pids()) ?? (child.pid ? groupMembers(child.pid) : [])
  const killRest = () => (box.end ? box.end() : killAll(pids))

  return {
    restarts: () => restarts,
    pids,
    leader: () => child.pid,
    lastExit: () => lastExit,
    lastLines: () => log.tail(),
    async inject(how) {
      if (how === 'freeze') {
        const frozen = await pids()
        for (const pid of frozen) signal(pid, 'SIGSTOP')
        return async () => frozen.forEach((pid) => signal(pid, 'SIGCONT'))
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      if (how === 'hold') held = promise
      if (child.pid) signal(child.pid, signalFor[how])
      return async () => resolve()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      const alive = child.pid && child.exitCode === null && child.signalCode === null
      if (alive && spec.grace > 0) signal(child.pid!, 'SIGTERM')
      const killer = setTimeout(() => void endUntilGone(killRest, ended), spec.grace * 1000)
      await ended
      clearTimeout(killer)
      await box.remove()
      log.close()
    },
  }
}

export interface ContainerOutcome {
  code: number | null
  log: string[]
}

/** Runs a command that ends by itself: an init container, or n8n's command line. */
export async function runOnce(
  command: Command,
  box: Box,
  options: { log: string; signal: AbortSignal; track: (pid: number) => void; fail?: Fail },
): Promise<ContainerOutcome> {
  const log = openLog(options.log, options.fail)
  const [program, ...args] = box.wrap(command.argv)
  const child = spawn(program!, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close').catch((error: Error) => [null, error.message])
  if (child.pid) options.track(child.pid)
  log.follow(child.stdout)
  log.follow(child.stderr)
  const abort = () => (box.end ? void endUntilGone(() => box.end!(), closed) : killGroup(child.pid))
  options.signal.addEventListener('abort', abort)
  const [code] = await closed
  options.signal.removeEventListener('abort', abort)
  log.close()
  return { code, log: log.tail() }
}

/** Repeats the kill until it is gone: a runtime that is still making a container does not know that container yet. */
export async function endUntilGone(end: () => Promise<void>, gone: Promise<unknown>): Promise<void> {
  let over = false
  const noted = gone.then(() => void (over = true))
  while (!over) {
    await end()
    await Promise.race([noted, wait(50)])
  }
}
