import { until } from '../../../../../loadtests/src/lib/await.ts'
import { readStat, signal } from '../../../../../loadtests/src/lib/processes.ts'
import { profileProcess } from '../../../../../loadtests/src/targets/local/profiling/profile.ts'
import type { ProcessProfile } from '../../../../../loadtests/src/targets/profile.ts'
import { start } from './inspectable.ts'

/**
 * Now at work and now idle, some of it on libuv's threads. Each time by a new function: one that V8 is just compiling
 * when the profile begins it never names.
 */
const program = `
  let times = 0
  function work() {
    const body = 'for (let turn = 0; turn < 500; turn++) JSON.stringify(Array(100).fill({}))'
    eval('(function busy() { ' + body + ' }) // ' + times++)()
    setTimeout(work, 20)
  }
  work()
  setInterval(() => require('node:crypto').pbkdf2('a', 'b', 5000, 64, 'sha512', () => {}), 100)
  console.log('at work')`
/** The same, with a child that does it too. */
const parent =
  `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program)}], { `
  + `env: {} })\n${program}`

async function cpuOf(pids: number[]): Promise<number> {
  const stats = await Promise.all(pids.map(readStat))
  return stats.reduce((sum, stat) => sum + (stat?.cpu ?? 0), 0)
}

describe('a Node at work', () => {
  let seen: ProcessProfile

  beforeAll(async () => {
    const { pid, address, members } = await start(parent)
    await until(async () => (await members()).length === 2, { timeout: 5000, every: 20 })
    const end = await profileProcess({
      pid,
      inspector: address,
      pids: members,
      cpuSeconds: async () => cpuOf(await members()),
    })
    // On a busy machine that takes a while.
    const used = async () => Math.min(...(await Promise.all((await members()).map(async (one) => cpuOf([one])))))
    const before = await used()
    await until(async () => (await used()) - before > 0.6, { timeout: 40_000, every: 50 })
    seen = await end()
  }, 60_000)

  test('is found in its threads and its children as the system counted it', () => {
    const found = [...seen.threads, ...seen.others].reduce((sum, { seconds }) => sum + seconds, 0)
    // The system counts a process in ticks of 10 ms.
    expect(Math.abs(found - seen.counted)).toBeLessThan(0.05 * seen.counted + 0.04)
    expect(seen.counted).toBeGreaterThan(1)
  })

  test('has its main thread first, its other threads by name, and its child by its command', () => {
    const taken = (name: string) =>
      seen.threads.filter((thread) => thread.name === name).reduce((sum, { seconds }) => sum + seconds, 0)
    expect(seen.threads[0]!.seconds).toBeGreaterThan(0.2)
    expect(taken('libuv-worker')).toBeGreaterThan(0)
    expect(seen.others.find(({ command }) => command.includes('busy'))!.seconds).toBeGreaterThan(0.2)
  })

  test('is seen by V8 at what it does', () => {
    const looksAt = (name: string) =>
      seen.cpu.samples.filter((id) => seen.cpu.nodes.find((node) => node.id === id)!.callFrame.functionName === name)
        .length
    expect(looksAt('busy')).toBeGreaterThan(0)
    expect(looksAt('(idle)')).toBeGreaterThan(0)
    expect(JSON.stringify(seen.heap)).toContain('"busy"')
  })
})

test('a process that ends meanwhile is an error and no profile', async () => {
  const { pid, address, members } = await start("setInterval(() => {}, 1000); console.log('at work')")
  const end = await profileProcess({ pid, inspector: address, pids: members, cpuSeconds: async () => 0 })
  signal(pid, 'SIGKILL')
  await expect(end()).rejects.toThrow()
})
