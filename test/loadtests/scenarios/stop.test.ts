import { watchLateness } from '../../../loadtests/scenarios/stop.ts'

/** When callers of somebody else's n8n wait too long. Times are milliseconds. */

const objective = 500

/** Requests that are due every so many milliseconds, and how long each takes; when the load ends. */
function endOf(every: number, taken: (due: number) => number, until = 20_000): number | null {
  const watched = watchLateness(objective)
  const open = new Set<number>()
  for (let now = 0; now < until; now += 50) {
    if (now % every === 0) open.add(now)
    for (const due of open)
      if (due + taken(due) <= now) {
        open.delete(due)
        watched.answered(due, now)
      }
    if (watched.isTooLong(open, now)) return now
  }
  return null
}

test('answers in time end nothing', () => {
  expect(endOf(200, () => 450)).toBeNull()
})

test('within two seconds of answers that are late, whether they come or not', () => {
  const from = 5000
  for (const slow of [800, 60_000]) {
    const end = endOf(200, (due) => (due < from ? 100 : slow))!
    expect(end - from - objective).toBeGreaterThanOrEqual(1500)
    expect(end - from - objective).toBeLessThanOrEqual(2000)
  }
})

test('at one request a second too', () => {
  expect(endOf(1000, () => 60_000)).toBeLessThanOrEqual(2 * objective + 2000)
})

test('a pause of a second, and every fifth answer late, end nothing', () => {
  expect(endOf(50, (due) => (due >= 5000 && due < 6000 ? 6000 - due + 100 : 100))).toBeNull()
  expect(endOf(200, (due) => (due % 1000 === 0 ? 900 : 100))).toBeNull()
})
