import { since, type UsageLook } from '../../../loadtests/src/run/sampler.ts'

const look = (at: number, over: Partial<UsageLook> = {}): UsageLook => ({
  at,
  cpuSeconds: at,
  rss: 1000,
  pids: 1,
  ...over,
})

test('between two looks it is known how many cores a process used, and how often its limit stopped it', () => {
  const before = look(10, { throttling: { periods: 100, stopped: 4 }, loop: { ran: 3, waited: 1 } })
  const now = look(12, { cpuSeconds: 11, throttling: { periods: 120, stopped: 19 }, loop: { ran: 3.8, waited: 1.2 } })
  expect(since(before, now)).toEqual({
    cpu: 0.5,
    rss: 1000,
    pids: 1,
    throttled: 0.75,
    loop: { ran: expect.closeTo(0.4), waited: expect.closeTo(0.1) },
  })
})

test('what nobody counts is left out, as is everything of a first look', () => {
  expect(since(look(10), look(12))).toEqual({ cpu: 1, rss: 1000, pids: 1 })
  const first = look(12, { throttling: { periods: 120, stopped: 19 }, loop: { ran: 3, waited: 1 } })
  expect(since(undefined, first)).toEqual({ cpu: null, rss: 1000, pids: 1 })
})

test('a process that began anew used nothing by counters that fell, and no period is no share', () => {
  const before = look(10, { throttling: { periods: 100, stopped: 4 }, loop: { ran: 3, waited: 1 } })
  const anew = look(12, { cpuSeconds: 0.1, throttling: { periods: 100, stopped: 4 }, loop: { ran: 0.1, waited: 0 } })
  expect(since(before, anew)).toMatchObject({ cpu: 0, loop: { ran: 0, waited: 0 } })
  expect(since(before, anew)).not.toHaveProperty('throttled')
})
