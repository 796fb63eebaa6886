import { groupMembers } from '../../../../loadtests/src/lib/processes.ts'
import { programs } from '../../../support/node-program.ts'
import { start, together } from '../../fixtures/container.ts'

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
