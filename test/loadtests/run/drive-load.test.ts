import { capacityOf } from '../../../loadtests/src/judge/capacity.ts'
import { verdictOf } from '../../../loadtests/src/judge/limit.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { kinds, serverOf } from '../../support/synthetic/curves.ts'
import { capacities, fewestRandom, points, search, slo } from '../../support/synthetic/points.ts'
import { made } from '../../support/synthetic/servers.ts'
import { simulate } from '../../support/synthetic/simulate.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'

/**
 * The whole search, from the warm-up to the capacity, on servers whose capacity is known. Only k6 and the clock are
 * made up; `make bench-search` does the same with both real.
 */
describe.each(kinds)('the capacity of a server of kind %s', (kind) => {
  const known = capacities.filter((capacity) => kind !== 'exponential' || capacity >= fewestRandom)
  const searches = known.map((capacity) => ({ capacity, ...searched(kind, capacity) }))

  test.each(searches)('$capacity/s is found within 5 %', async ({ capacity, found }) => {
    expect(Math.abs((await found)! / capacity - 1)).toBeLessThanOrEqual(0.05)
  })

  test('is found and confirmed within four minutes', async () => {
    for (const { found, simulation } of searches) {
      await found
      expect(simulation.elapsed()).toBeLessThanOrEqual(240)
    }
  })
})

function searched(kind: (typeof kinds)[number], capacity: number, most?: number) {
  const simulation = simulate(serverOf(kind, capacity, 1), slo, { most })
  const found = driveLoad(search, simulation.measure).then(() => capacityOf('search', simulation.steps)?.rate)
  return { simulation, found }
}

describe('a search with a budget', () => {
  const budget = 100
  const [step, precision] = [8, 0.1]
  const within = points.map(({ text, of }) => ({
    text,
    simulation: simulate((clock) => made(of)(clock, 1), slo, { arrivals: 'random' }),
  }))

  test.each(within)('ends about then: $text', async ({ simulation }) => {
    await driveLoad({ ...search, step, precision, budget }, simulation.measure)
    // Where the confirmation breaks, lower ones follow.
    expect(simulation.elapsed()).toBeLessThanOrEqual(2 * budget)
    const last = simulation.steps.at(-1)!
    expect(last.confirms).toBe(true)
  })

  test('drives what it found for as long as is left', async () => {
    const { measure, steps } = simulate(serverOf('fixed', 100, 1), slo)
    await driveLoad({ ...search, step, precision, budget: 300 }, measure)
    const confirmed = steps.at(-1)!
    expect(confirmed.holds).toBe(true)
    expect((confirmed.load.endedAt - steps[0]!.load.startedAt) / 1000).toBeCloseTo(300, -1)
  })
})

test('a generator that falls behind is named as the limit, and its limit is not searched for', async () => {
  const { simulation, found } = searched('fixed', 1000, 300)
  await found
  const measured = simulation.steps.filter(({ purpose }) => purpose === 'measure')
  const verdict = verdictOf('search', simulation.steps, capacityOf('search', simulation.steps), null)
  expect(verdict.reasons.map(({ code }) => code)).toEqual(['generator-behind'])
  expect(measured.map(({ load }) => load.rate)).toEqual([900, 900])
})

test('a generator that falls behind once is asked again', async () => {
  let steps = 0
  const { measure } = simulate(serverOf('fixed', 100, 1), slo)
  const slow = simulate(serverOf('fixed', 100, 1), slo, { most: 50 })
  const rates: (number | null)[] = []
  await driveLoad(search, async (shape, duration, rest) => {
    const step = await (rest.purpose === 'measure' && steps++ === 0 ? slow : { measure }).measure(shape, duration, rest)
    if (rest.purpose === 'measure') rates.push(step.load.rate)
    return step
  })
  expect(rates.slice(0, 2)).toEqual([90, 90])
  expect(rates.length).toBeGreaterThan(3)
})

test('a pause of n8n in one step does not lower its capacity', async () => {
  const { measure } = simulate(serverOf('fixed', 100, 1), slo)
  const paused = simulate(serverOf('fixed', 80, 1), slo)
  const steps: Step[] = []
  await driveLoad(search, async (shape, duration, rest) => {
    const step = await (rest.purpose === 'measure' && steps.length === 2 ? paused : { measure }).measure(
      shape,
      duration,
      rest,
    )
    if (rest.purpose === 'measure') steps.push(step)
    return step
  })
  expect(steps[2]!.reasons.map(({ code }) => code)).toEqual(['latency'])
  expect(capacityOf('search', steps)!.rate).toBeGreaterThan(steps[2]!.load.rate!)
})

test('a step that is too short for its executions is driven again for longer, and the others are as long', async () => {
  const asked: [rate: number, seconds: number][] = []
  await driveLoad({ ...search, step: 5 }, async (shape, duration, { purpose }) => {
    if (purpose === 'warm-up')
      return { load: { throughput: 20 }, reasons: [], accounting: { finished: null } } as unknown as Step
    const { rate } = shape as { rate: number }
    asked.push([rate, duration])
    const because = duration < 10 ? ['too-short'] : rate > 20 ? ['latency'] : []
    return {
      load: { rate },
      holds: because.length === 0,
      reasons: because.map((code) => ({ code })),
      times: { ran: { p50: 5000 } },
    } as unknown as Step
  })
  expect(asked.slice(0, 2)).toEqual([
    [18, 5],
    [18, 12],
  ])
  expect(asked.slice(1).every(([, seconds]) => seconds >= 12)).toBe(true)
  expect(asked.length).toBeGreaterThan(3)
})

test('the rate that was found is driven once more for longer, and a lower one where it breaks', async () => {
  const confirmed: [rate: number, seconds: number, holds: boolean][] = []
  const steps: Step[] = []
  await driveLoad({ ...search, step: 10 }, async (shape, duration, { purpose, confirms }) => {
    if (purpose === 'warm-up')
      return { load: { throughput: 100 }, reasons: [], accounting: { finished: null } } as unknown as Step
    const { rate } = shape as { rate: number }
    // In short steps it was lucky.
    const holds = rate <= (confirms ? 80 : 120)
    if (confirms) confirmed.push([rate, duration, holds])
    const step = {
      repeat: 1,
      purpose,
      ...(confirms && { confirms }),
      load: { rate, requests: rate * duration },
      holds,
      reasons: holds ? [] : [{ code: 'backlog' }],
      accounting: { lostExecutions: [] },
    } as unknown as Step
    steps.push(step)
    return step
  })
  expect(confirmed.every(([, seconds]) => seconds === 30)).toBe(true)
  expect(confirmed.map(([, , holds]) => holds)).toEqual([...confirmed.slice(1).map(() => false), true])
  expect(capacityOf('search', steps)!.rate).toBe(confirmed.at(-1)![0])
})

test('after a death n8n is warmed up again before the next rate', async () => {
  const driven: string[] = []
  await driveLoad(search, async (shape, _, { purpose }) => {
    const rate = shape.kind === 'constant' ? shape.rate : null
    driven.push(purpose)
    const died = rate !== null && rate > 20
    return {
      load: { rate, throughput: 20 },
      holds: !died,
      reasons: died ? [{ code: 'oom-killed' }] : [],
      accounting: { finished: null },
    } as unknown as Step
  })
  const deaths = driven.lastIndexOf('measure') - driven.indexOf('measure')
  expect(deaths).toBeGreaterThan(0)
  const first = driven.indexOf('measure')
  expect(
    driven.slice(first).filter((purpose, at, all) => purpose === 'measure' && all[at + 1] === 'warm-up').length,
  ).toBeGreaterThan(0)
})

test('a warm-up does not bury a server that accepts more than it finishes', async () => {
  const { simulation, found } = searched('leak', 10)
  await found
  expect(simulation.steps.filter(({ purpose }) => purpose === 'warm-up')).toHaveLength(2)
})

test('a warm-up to a constant rate ends with what sustains it easily, though not before a few rounds', async () => {
  const roundsAt = async (rate: number) => {
    let rounds = 0
    await driveLoad({ shape: 'constant', rate, duration: 20, timeout: 30 }, async (_, __, { purpose }) => {
      const throughput = 100 * 1.2 ** rounds
      if (purpose === 'warm-up') rounds++
      return { load: { throughput }, reasons: [], accounting: { finished: null } } as unknown as Step
    })
    return rounds
  }
  expect(await roundsAt(10)).toBe(3)
  expect(await roundsAt(100)).toBe(4)
  expect(await roundsAt(1000)).toBe(8)
})
