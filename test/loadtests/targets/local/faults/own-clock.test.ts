import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { clockLibrary, openOwnClock } from '../../../../../loadtests/src/targets/local/faults.ts'
import type { OwnClock } from '../../../../../loadtests/src/targets/local/pod.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'

const hour = 3600_000
const folder = temporaryFolder()

describe('a clock of its own', () => {
  let clock: OwnClock
  beforeAll(async () => {
    clock = await openOwnClock(folder)
  })

  /** Whether a new process is about an hour ahead of this one. */
  async function isAhead(): Promise<boolean> {
    const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'Date.now()'], { env: clock.env })
    return Number(stdout) - Date.now() > hour / 2
  }

  test('is the machine’s until it is moved, and again when it is set back', async () => {
    expect(await isAhead()).toBe(false)
    const setBack = await clock.move()
    expect(await isAhead()).toBe(true)
    await setBack()
    expect(await isAhead()).toBe(false)
  })

  test('moves under a process that runs, whose timers and durations do not', async () => {
    const script = `
      const [date, time] = [Date.now(), performance.now()]
      console.log('running')
      const looking = setInterval(() => {
        if (Date.now() - date < ${hour}) return
        console.log(performance.now() - time)
        clearInterval(looking)
      }, 20)`
    const running = execFile(process.execPath, ['-e', script], { env: clock.env })
    const said = running.stdout![Symbol.asyncIterator]() as AsyncIterator<string>
    expect((await said.next()).value).toBe('running\n')
    const setBack = await clock.move()
    expect(Number((await said.next()).value)).toBeLessThan(60_000)
    await setBack()
  })
})

test('the library is there, because tools/install-servers installs it', async () => {
  expect(await clockLibrary()).toMatch(/libfaketimeMT/)
})
