import { waitForQuiet } from '../../../loadtests/src/run/quiet-machine.ts'

/** A machine of two cores, whose other programs keep so many of them busy from one look to the next. */
async function wait(...busy: (number | null)[]) {
  const told: string[] = []
  let [now, spent] = [0, 0]
  let look = 0
  const found = await waitForQuiet(
    {
      cores: 2,
      seconds: async () => (busy[0] === null ? null : spent),
      now: () => now,
      pause: async (milliseconds) => {
        now += milliseconds
        spent += (busy[Math.min(look++, busy.length - 1)]! * milliseconds) / 1000
      },
    },
    (line) => told.push(line),
  )
  return { found, told, seconds: now / 1000 }
}

test('a quiet machine is seen to be quiet in seconds, without a word', async () => {
  const { found, told, seconds } = await wait(0.1)
  expect(found).toMatchObject({ quiet: true })
  expect(told).toEqual([])
  expect(seconds).toBeLessThanOrEqual(5)
})

test('a machine that compiles is waited for, and the user is told once', async () => {
  const { found, told } = await wait(1.9, 1.9, 0.1)
  expect(found).toMatchObject({ quiet: true })
  expect(told).toEqual([
    'Waiting until this machine is quiet, for 1 min at most: other programs keep 1.9 of its 2 cores busy',
  ])
})

test('a moment between two programs is not yet quiet', async () => {
  const { seconds } = await wait(1.9, 0.1, 1.9, 0.1)
  expect(seconds).toBe(10)
})

test('a machine that stays busy is not waited for longer than a minute', async () => {
  const { found, seconds } = await wait(1.5)
  expect(found).toEqual({ quiet: false, waited: true, busy: 1.5 })
  expect(seconds).toBeLessThanOrEqual(62)
})

test('a system that does not say what is busy is not waited for', async () => {
  expect((await wait(null)).found).toBeNull()
})
