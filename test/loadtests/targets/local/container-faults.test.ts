import { until } from '../../../../loadtests/src/lib/await.ts'
import { isAlive, readStat } from '../../../../loadtests/src/lib/processes.ts'
import { describeLimits } from '../../../support/limiter.ts'
import { programs } from '../../../support/node-program.ts'
import { start, together } from '../../fixtures/container.ts'

describe('a container with a fault', () => {
  together('by a kill is started again, as after any other end', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const recover = await container.inject('kill')
    await container.exited(1)
    await container.said('waiting')
    expect(container.lastExit()).toMatchObject({ code: null, signal: 'SIGKILL' })
    await recover()
    await container.stop()
  })

  together('by SIGTERM may end in order', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    await container.inject('end')
    await container.exited(1)
    expect(container.lastExit()).toMatchObject({ code: 0, log: ['waiting', 'goodbye'] })
    await container.stop()
  })

  together('and that is held down comes back when the fault ends, not before', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const recover = await container.inject('hold')
    await container.exited(1)
    // Longer than the wait before a restart, which is what must not come.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(container.restarts()).toBe(0)
    await recover()
    await container.said('waiting')
    expect(container.restarts()).toBe(1)
    await container.stop()
  })

  together('and that is frozen stands still until the fault ends', async () => {
    const container = await start(programs.endsWhenAsked)
    await container.said('waiting')
    const state = async () => (await readStat(container.leader()!))?.state
    const recover = await container.inject('freeze')
    await until(async () => (await state()) === 'T', { timeout: 5000, every: 10 })
    expect(await state()).toBe('T')
    await recover()
    expect(await until(async () => (await state()) !== 'T', { timeout: 5000, every: 10 })).toBe(true)
    await container.stop()
  })

  together('and that is stopped while it is frozen or held is gone', async () => {
    const [frozen, held] = await Promise.all([start(programs.endsWhenAsked), start(programs.endsWhenAsked)])
    await Promise.all([frozen.said('waiting'), held.said('waiting')])
    await frozen.inject('freeze')
    await held.inject('hold')
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
