import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { until } from '../../../loadtests/src/lib/await.ts'
import {
  groupMembers,
  isAlive,
  killAll,
  killGroup,
  readStat,
  signal,
  startOf,
} from '../../../loadtests/src/lib/processes.ts'

const children: ChildProcess[] = []
afterAll(() => children.forEach((child) => killGroup(child.pid)))

function start(argv: string[]): ChildProcess & { pid: number } {
  const child = spawn(argv[0]!, argv.slice(1), { detached: true, stdio: 'ignore' })
  children.push(child)
  return child as ChildProcess & { pid: number }
}
const sleeper = () => start(['sleep', '600'])
const members = async (group: number, count: number) =>
  until(async () => (await groupMembers(group)).length === count, { timeout: 5000, every: 5 })

/** Ended, and waited for by its parent, which this process is. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

test('a process is alive until it has ended', async () => {
  const child = sleeper()
  expect(isAlive(child.pid)).toBe(true)
  signal(child.pid, 'SIGKILL')
  await ended(child)
  expect(isAlive(child.pid)).toBe(false)
})

test('somebody else’s process is alive too', () => {
  expect(isAlive(1)).toBe(true)
})

test('a signal says whether there was anybody to hear it', async () => {
  const child = sleeper()
  expect(signal(child.pid, 'SIGTERM')).toBe(true)
  await ended(child)
  expect(signal(child.pid, 'SIGTERM')).toBe(false)
})

test('a group is its leader and all its children', async () => {
  const child = start(['sh', '-c', 'sleep 600 & sleep 600 & wait'])
  expect(await members(child.pid, 3)).toBe(true)
  killGroup(child.pid)
  await ended(child)
  expect(await members(child.pid, 0)).toBe(true)
})

test('to end a group that is gone, or never was, is no error', () => {
  expect(() => killGroup(undefined)).not.toThrow()
  expect(() => killGroup(4_194_000)).not.toThrow()
})

test('all are ended, also those found only later', async () => {
  const [first, second] = [sleeper(), sleeper()]
  const found = [[first.pid], [second.pid], []]
  await killAll(async () => found.shift() ?? [])
  await Promise.all([ended(first), ended(second)])
  expect([first.signalCode, second.signalCode]).toEqual(['SIGKILL', 'SIGKILL'])
})

describe('what the system knows of a process', () => {
  test('is its group, its state, its memory and its CPU time', async () => {
    const child = start([process.execPath, '-e', 'for (;;);'])
    const busy = await until(
      async () => {
        const stat = await readStat(child.pid)
        return stat !== null && stat.cpu > 0.1 && stat
      },
      { timeout: 20_000, every: 10 },
    )
    expect(busy).toMatchObject({ pid: child.pid, group: child.pid, state: expect.stringMatching(/[RS]/) })
    expect(busy!.rss).toBeGreaterThan(10 * 2 ** 20)
    killGroup(child.pid)
  })

  test('is not confused by a name with spaces and parentheses', async () => {
    const child = start([process.execPath, '-e', "process.title = 'a) 1 (b'; setInterval(() => {}, 1000)"])
    const renamed = async () => (await readFile(`/proc/${child.pid}/comm`, 'utf8')) === 'a) 1 (b\n'
    expect(await until(renamed, { timeout: 5000, every: 5 })).toBe(true)
    expect(await readStat(child.pid)).toMatchObject({ group: child.pid, state: expect.stringMatching(/^[RSD]$/) })
    killGroup(child.pid)
  })

  test('tells it from a later one with its number by when it started', async () => {
    const child = sleeper()
    expect(startOf(child.pid)).toBe((await readStat(child.pid))!.started)
    expect(startOf(child.pid)).toBeGreaterThanOrEqual(startOf(process.pid)!)
    killGroup(child.pid)
  })

  test('is nothing once it is gone', async () => {
    const child = sleeper()
    killGroup(child.pid)
    await ended(child)
    expect(await readStat(child.pid)).toBeNull()
    expect(startOf(child.pid)).toBeNull()
  })
})
