import { join } from 'node:path'
import type { Limits } from '../../../../loadtests/src/chart/plan.ts'
import { until } from '../../../../loadtests/src/support/await.ts'
import { groupMembers, isAlive, readStat } from '../../../../loadtests/src/support/processes.ts'
import { runContainer, type Container } from '../../../../loadtests/src/target/local/container.ts'
import { openLog } from '../../../../loadtests/src/target/local/log.ts'
import type { Exit, TargetEvent } from '../../../../loadtests/src/target/target.ts'
import { describeLimits, limiter } from '../../../support/limiter.ts'
import { programs } from '../../../support/node-program.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** Real processes, in boxes of the limiter that this machine offers. */

const folder = temporaryFolder()
const running: Container[] = []
let count = 0
afterAll(async () => {
  await Promise.all(running.map((container) => container.stop()))
  await limiter.close()
})

interface Watched extends Container {
  events: TargetEvent[]
  groups: number[]
  exits(): Exit[]
  /** Waits for what it said, or for its nth exit. */
  said(word: string): Promise<unknown>
  exited(times: number): Promise<unknown>
}

async function start(
  argv: string[],
  {
    limits = { cpu: null, memory: null },
    grace = 30,
    env = {},
  }: { limits?: Limits; grace?: number; env?: Record<string, string> } = {},
): Promise<Watched> {
  const name = `container-${count++}`
  const box = await limiter.box(name, limits)
  const log = openLog(join(folder, `${name}.log`))
  const events: TargetEvent[] = []
  const groups: number[] = []
  const spec = { name, argv, env: { PATH: process.env.PATH!, ...env }, cwd: folder, grace }
  const container = runContainer(
    spec,
    box,
    log,
    (event) => events.push(event),
    (pid) => groups.push(pid),
  )
  running.push(container)
  const exits = () => events.flatMap(({ exit }) => exit ?? [])
  const soon = async (what: string, ask: () => boolean) => {
    if (!(await until(async () => ask(), { timeout: 15_000, every: 10 })))
      throw new Error(`Expected ${what}, got ${JSON.stringify(events)}, log ${JSON.stringify(log.tail())}`)
  }
  return {
    ...container,
    events,
    groups,
    exits,
    said: (word) => soon(`the word ${word}`, () => log.includes(word)),
    exited: (times) => soon(`${times} exits`, () => exits().length >= times),
  }
}

const together = test.concurrent

together('a container runs until it is stopped', async () => {
  const container = await start(programs.endsWhenAsked)
  await container.said('waiting')
  expect(container.events).toEqual([{ at: expect.any(Number), process: expect.any(String), kind: 'started' }])
  expect(container.restarts()).toBe(0)
  expect(container.lastExit()).toBeNull()
  expect(await container.pids()).toContain(container.groups[0])
  await container.stop()
  expect(await container.pids()).toEqual([])
})

together('a container has the environment it is given, and nothing of the lab’s', async () => {
  const container = await start(['sh', '-c', 'env; exec sleep 600'], { env: { N8N_PORT: '5678' }, grace: 0 })
  await container.said('N8N_PORT=5678')
  await container.stop()
  const names = container.lastExit()!.log.map((line) => line.split('=')[0])
  expect(names.filter((name) => !['N8N_PORT', 'PATH', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name!))).toEqual([])
})

describe('a container that ends by itself', () => {
  together('is started again, and every start is told and tracked', async () => {
    const container = await start(programs.ends(3))
    await container.exited(2)
    expect(container.restarts()).toBe(1)
    expect(container.events.map(({ kind }) => kind).slice(0, 4)).toEqual(['started', 'exited', 'started', 'exited'])
    expect(new Set(container.groups).size).toBeGreaterThanOrEqual(2)
    await container.stop()
  })

  together('has crashed, with its code and the last lines of its log', async () => {
    const container = await start(programs.ends(3, 'my last words'))
    await container.exited(1)
    expect(container.lastExit()).toEqual({ reason: 'crashed', code: 3, signal: null, log: ['my last words'] })
    await container.stop()
  })

  together('has crashed by a signal that was not ours', async () => {
    const container = await start(['sh', '-c', 'kill -SEGV $$'])
    await container.exited(1)
    expect(container.lastExit()).toMatchObject({ reason: 'crashed', code: null, signal: 'SIGSEGV' })
    await container.stop()
  })

  together('has crashed when there is no such program', async () => {
    const container = await start(['/nowhere/n8n'])
    await container.exited(1)
    expect(container.lastExit()).toMatchObject({ reason: 'crashed' })
    await container.stop()
  })

  together('takes its children along, also while they hold its output open', async () => {
    const container = await start(programs.leavesAChild)
    await container.exited(1)
    expect(await groupMembers(container.groups[0]!)).toEqual([])
    expect(container.lastExit()).toMatchObject({ code: 3, log: ['left'] })
    await container.stop()
  })

  together('is not started again after it was stopped', async () => {
    const container = await start(programs.ends(0))
    await container.exited(1)
    await container.stop()
    const starts = container.groups.length
    // Longer than the wait before a restart, which is what must not come.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(container.groups).toHaveLength(starts)
  })

  together('out of heap is told from every other crash', async () => {
    const container = await start(programs.fillsItsHeap)
    await container.exited(1)
    expect(container.lastExit()!.reason).toBe('heap-exhausted')
    expect(container.lastExit()!.log.length).toBeGreaterThan(0)
    await container.stop()
  })
})

describe('a container that harm is done to', () => {
  together('by a kill is started again, as after any other end', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const end = await container.disturb('kill')
    await container.exited(1)
    await container.said('waiting')
    expect(container.lastExit()).toMatchObject({ code: null, signal: 'SIGKILL' })
    await end()
    await container.stop()
  })

  together('by SIGTERM may end in order', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    await container.disturb('end')
    await container.exited(1)
    expect(container.lastExit()).toMatchObject({ code: 0, log: ['waiting', 'goodbye'] })
    await container.stop()
  })

  together('and that is held down comes back when the harm ends, not before', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const end = await container.disturb('hold')
    await container.exited(1)
    // Longer than the wait before a restart, which is what must not come.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(container.restarts()).toBe(0)
    await end()
    await container.said('waiting')
    expect(container.restarts()).toBe(1)
    await container.stop()
  })

  together('and that is frozen stands still until the harm ends', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const state = async () => (await readStat(container.leader()!))?.state
    const end = await container.disturb('freeze')
    await until(async () => (await state()) === 'T', { timeout: 5000, every: 10 })
    expect(await state()).toBe('T')
    await end()
    expect(await until(async () => (await state()) !== 'T', { timeout: 5000, every: 10 })).toBe(true)
    await container.stop()
  })

  together('and that is stopped while it is frozen or held is gone', async () => {
    const [frozen, held] = await Promise.all([start(programs.endsWhenAsked), start(programs.endsWhenAsked)])
    await Promise.all([frozen.said('waiting'), held.said('waiting')])
    await frozen.disturb('freeze')
    await held.disturb('hold')
    await held.exited(1)
    await Promise.all([frozen.stop(), held.stop()])
    expect(await Promise.all([frozen.pids(), held.pids()])).toEqual([[], []])
  })
})

describe('a container that is stopped', () => {
  together('is asked first, and may end in order', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    await container.stop()
    expect(container.lastExit()).toEqual({ reason: 'stopped', code: 0, signal: null, log: ['waiting', 'goodbye'] })
    expect(container.events.at(-1)).toMatchObject({ kind: 'exited' })
  })

  together('is killed when its grace is over', async () => {
    const container = await start(programs.staysWhenAsked, { grace: 0.3 })
    await container.said('waiting')
    await container.stop()
    expect(container.lastExit()).toEqual({ reason: 'stopped', code: null, signal: 'SIGKILL', log: ['waiting', 'no'] })
    expect(isAlive(container.groups[0]!)).toBe(false)
  })

  together('is killed unasked without a grace', async () => {
    const container = await start(programs.staysWhenAsked, { grace: 0 })
    await container.said('waiting')
    await container.stop()
    expect(container.lastExit()!.log).toEqual(['waiting'])
  })

  together('has told everything when stop returns', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    await container.stop()
    const told = container.events.length
    await new Promise((resolve) => setImmediate(resolve))
    expect(container.events).toHaveLength(told)
  })
})

describeLimits('a container under a limit', () => {
  together('that takes more memory than it has is killed for it, and started again', async () => {
    const container = await start(programs.holds(400), { limits: { cpu: null, memory: 150 * 2 ** 20 } })
    await container.exited(2)
    for (const exit of container.exits()) expect(exit).toMatchObject({ reason: 'oom-killed', signal: 'SIGKILL' })
    expect(container.restarts()).toBeGreaterThanOrEqual(1)
    await container.stop()
  })

  together('that is killed otherwise was not killed for memory', async () => {
    const container = await start(programs.waits(), { limits: { cpu: null, memory: 200 * 2 ** 20 } })
    await container.said('waiting')
    process.kill(container.groups[0]!, 'SIGKILL')
    await container.exited(1)
    expect(container.lastExit()).toMatchObject({ reason: 'crashed', signal: 'SIGKILL' })
    await container.stop()
  })

  together('takes along even a child in a session of its own', async () => {
    const container = await start(programs.hasARunaway)
    await container.said('waiting')
    const pids = await container.pids()
    const stats = await Promise.all(pids.map(readStat))
    const runaway = stats.find((stat) => stat!.group !== container.groups[0])!.pid
    await container.stop()
    expect(['Z', undefined]).toContain((await readStat(runaway))?.state)
  })
})
