import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../../../loadtests/src/support/await.ts'
import { groupMembers, isAlive, startOf } from '../../../../loadtests/src/support/processes.ts'
import { makeScratch, sweepScratch } from '../../../../loadtests/src/target/local/scratch.ts'
import { isRunning, startOwner } from '../../../support/leftovers.ts'

/** A number that no process has: of an owner that is gone. */
const gone = Array.from({ length: 1000 }, (_, index) => 4_100_000 + index).find((pid) => !isAlive(pid))!

const sleeper = (env: Record<string, string> = {}) =>
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { ...process.env, ...env } })
const children: ReturnType<typeof sleeper>[] = []
const sleeping = (env?: Record<string, string>) => {
  const child = sleeper(env)
  children.push(child)
  return child.pid!
}
afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

test('a scratch folder is the owner’s alone, begins empty and goes with it', async () => {
  const scratch = await makeScratch()
  await writeFile(join(scratch.path, 'old'), '')
  const again = await makeScratch()
  expect(again.path).toBe(scratch.path)
  expect(existsSync(join(again.path, 'old'))).toBe(false)
  await again.remove()
  expect(existsSync(again.path)).toBe(false)
})

test('what is tracked is written down at once', async () => {
  const scratch = await makeScratch(gone)
  scratch.track(process.pid)
  expect(await readFile(join(scratch.path, 'groups'), 'utf8')).toBe(`${process.pid} ${startOf(process.pid)}\n`)
  await scratch.remove()
})

test('an owner that has no time to end things in order takes what it started with it', async () => {
  const owner = await startOwner()
  await owner.exit()
  const gone = async (pid: number) => !(await isRunning(pid))
  expect(
    await until(async () => (await gone(owner.inBox)) && (await gone(owner.outside)), { timeout: 5000, every: 20 }),
  ).toBe(true)
  await sweepScratch()
})

describe('of an owner that was killed, the next run', () => {
  test('ends every process and removes the folder; of one that lives it leaves both', async () => {
    const owner = await startOwner()
    await sweepScratch()
    expect([await isRunning(owner.inBox), await isRunning(owner.outside), existsSync(owner.scratch)]).toEqual([
      true,
      true,
      true,
    ])
    await owner.kill()
    await sweepScratch()
    expect([await isRunning(owner.inBox), await isRunning(owner.outside), existsSync(owner.scratch)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('leaves a process of somebody else’s that has the number now', async () => {
    const scratch = await makeScratch(gone)
    const theirs = sleeping()
    await writeFile(join(scratch.path, 'groups'), `${theirs} ${startOf(theirs)! - 1}\n`)
    await sweepScratch()
    expect(await isRunning(theirs)).toBe(true)
    expect(existsSync(scratch.path)).toBe(false)
  })

  test('ends what is left of a group whose leader is gone, when it names the folder', async () => {
    const scratch = await makeScratch(gone)
    const leader = spawn('sh', ['-c', 'sleep 600 & exit'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HOME: `${scratch.path}/plan-0` },
    })
    scratch.track(leader.pid!)
    await new Promise((resolve) => leader.once('exit', resolve))
    expect(await groupMembers(leader.pid!)).toHaveLength(1)
    await sweepScratch()
    expect(await groupMembers(leader.pid!)).toEqual([])
  })

  test('minds no note of a process that ended long ago', async () => {
    const scratch = await makeScratch(gone)
    await writeFile(join(scratch.path, 'groups'), `${gone} 12\n`)
    await sweepScratch()
    expect(existsSync(scratch.path)).toBe(false)
  })
})
