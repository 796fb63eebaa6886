import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Limit } from '../../../../../loadtests/src/model/result.ts'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import type { Box } from '../../../../../loadtests/src/targets/local/limits/limiter.ts'
import { groupsOf, isRunning, startOwner } from '../../../../support/leftovers.ts'
import { describeLimits, limiter } from '../../../../support/limiter.ts'
import { programs } from '../../../../support/node-program.ts'

/** What the means of this machine really enforce, by the kernel's own account. */

const children: ChildProcess[] = []
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'))
  await limiter.close()
})

const MIB = 2 ** 20
let count = 0

interface Boxed {
  box: Box
  child: ChildProcess
  pid: number
  exit: Promise<[code: number | null, signal: string | null]>
}

async function boxed(argv: string[], limits: Partial<Limit> = {}): Promise<Boxed> {
  const box = await limiter.box(`limits-${count++}`, { cpu: null, memory: null, ...limits })
  const [command, ...args] = box.wrap(argv)
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const exit = once(child, 'exit') as Boxed['exit']
  await inside(box, child.pid!)
  return { box, child, pid: child.pid!, exit }
}

/** Only then is it limited. */
async function inside(box: Box, pid: number): Promise<void> {
  await until(async () => (await box.pids())?.includes(pid) ?? true, { timeout: 5000, every: 5 })
}

/** Cores in use, from one reading to the other, which lie this much CPU time apart. */
async function coresInUse({ box }: Boxed, cpuSeconds: number): Promise<number> {
  const read = async () => ({ at: performance.now() / 1000, cpu: (await box.cpuSeconds())! })
  const running = await until(async () => (await box.cpuSeconds())! > 0.2 && read(), { timeout: 20_000, every: 10 })
  const later = await until(async () => (await box.cpuSeconds())! - running!.cpu > cpuSeconds && read(), {
    timeout: 30_000,
    every: 10,
  })
  return (later!.cpu - running!.cpu) / (later!.at - running!.at)
}

describeLimits('limits', () => {
  test('of CPU are felt: a busy loop at 250m gets 250m', async () => {
    const loop = await boxed(programs.computes, { cpu: 0.25 })
    // A machine with much else to do may give it less for a while, and never more.
    const windows: number[] = []
    do windows.push(await coresInUse(loop, 0.5))
    while (windows.at(-1)! < 0.25 * 0.85 && windows.length < 5)
    await loop.box.remove()
    expect(Math.max(...windows)).toBeLessThan(0.25 * 1.15)
    expect(Math.max(...windows)).toBeGreaterThan(0.25 * 0.85)
  })

  test('of memory are felt: a program that takes more is killed, and the box has counted it', async () => {
    const hog = await boxed(programs.holds(400), { memory: 150 * MIB })
    expect(await hog.exit).toEqual([null, 'SIGKILL'])
    expect(await hog.box.oomKills()).toBeGreaterThan(0)
    await hog.box.remove()
  })

  test('leave alone what stays below them', async () => {
    const modest = await boxed(programs.holds(20), { memory: 300 * MIB, cpu: 1 })
    await once(modest.child.stdout!, 'data')
    expect(await isRunning(modest.pid)).toBe(true)
    expect(await modest.box.oomKills()).toBe(0)
    await modest.box.remove()
  })

  test('are none where none are given, and CPU is accounted all the same', async () => {
    const free = await boxed(programs.computes)
    expect(await coresInUse(free, 0.3)).toBeGreaterThan(0)
    expect(await free.box.oomKills()).toBe(0)
    await free.box.remove()
  })
})

describeLimits('a box', () => {
  test('knows everything that runs in it, children too', async () => {
    const family = await boxed(['sh', '-c', 'sleep 600 & sleep 600 & echo; wait'])
    await once(family.child.stdout!, 'data')
    expect((await family.box.pids())!.length).toBe(3)
    await family.box.remove()
  })

  test('ends everything in it when it is removed, and leaves no folder', async () => {
    const family = await boxed(['sh', '-c', 'sleep 600 & echo; wait'])
    await once(family.child.stdout!, 'data')
    const pids = (await family.box.pids())!
    const folders = await groupsOf(family.pid)
    expect(folders.length).toBeGreaterThan(0)
    await family.box.remove()
    for (const pid of pids) expect(await isRunning(pid)).toBe(false)
    expect(folders.filter(existsSync)).toEqual([])
  })

  test('can be made again under its name', async () => {
    const name = 'twice'
    for (let time = 0; time < 2; time++) {
      const box = await limiter.box(name, { cpu: 1, memory: 100 * MIB })
      expect(await box.pids()).toEqual([])
      await box.remove()
    }
  })

  test('of a killed owner is removed by the next, with what runs in it; of a living one it stays', async () => {
    const owner = await startOwner()
    expect(owner.groups.length).toBeGreaterThan(0)
    await limiter.sweep()
    expect(await isRunning(owner.inBox)).toBe(true)
    await owner.kill()
    await limiter.sweep()
    expect(await isRunning(owner.inBox)).toBe(false)
    expect(owner.groups.filter(existsSync)).toEqual([])
    process.kill(owner.outside, 'SIGKILL')
  })

  test('goes with its limiter, which leaves nothing behind', async () => {
    const { pid } = await boxed(['sleep', '600'])
    const folders = await groupsOf(pid)
    await limiter.close()
    expect(await isRunning(pid)).toBe(false)
    expect(folders.filter(existsSync)).toEqual([])
  })
})

test('a run says what kind of limits it has', () => {
  expect(['cgroup v1', 'cgroup v2', 'systemd', 'not enforced']).toContain(limiter.kind)
  expect(limiter.enforced).toBe(limiter.kind !== 'not enforced')
})
