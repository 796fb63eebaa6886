import { capacityOf } from '../../../loadtests/src/judge/capacity.ts'
import { verdictOf } from '../../../loadtests/src/judge/limit.ts'
import { driveLoad, drivePaired, warmUp } from '../../../loadtests/src/run/drive-load.ts'
import { serverOf } from '../../support/synthetic/curves.ts'
import { madeKinds, usualP95 } from '../../support/synthetic/kinds.ts'
import { machine } from '../../support/synthetic/machine.ts'
import { search, slo as sloOfPoints } from '../../support/synthetic/points.ts'
import { simulate, type Simulation } from '../../support/synthetic/simulate.ts'
import type { Sample } from '../../../loadtests/src/model/sample.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'

const slo = { ...sloOfPoints, p95: usualP95 }

/**
 * The whole search, from the warm-up to the capacity, on servers whose capacity is known. Only k6 and the clock are
 * made up; `make bench-answer` does the same with both real.
 */

const nothing = { samples: [], slo }
const capacityIn = ({ steps, samples }: Simulation) => capacityOf('search', steps, { samples, slo })
const measuredIn = (steps: Step[]) => steps.filter(({ purpose }) => purpose === 'measure')
const lasted = (steps: Step[]) =>
  measuredIn(steps).map(({ load }) => Math.round((load.endedAt - load.startedAt) / 1000))

const made = (kind: string, seed = 1): Simulation =>
  simulate((clock) => machine(madeKinds[kind]!.of)(clock, seed), slo, { arrivals: 'random', seed })

describe('a search of 100 s', () => {
  const { truth } = madeKinds.threads!
  const simulation = made('threads')
  beforeAll(() => driveLoad(search, simulation.measure, { samples: simulation.samples, slo }))

  test('holds the true capacity in its interval', () => {
    const { interval } = capacityIn(simulation)!
    expect(interval!.low).toBeLessThanOrEqual(truth)
    expect(interval!.high).toBeGreaterThanOrEqual(truth)
  })

  test('has five steps behind its warm-up, each of them whole', () => {
    expect(lasted(simulation.steps)).toEqual([20, 20, 20, 20, 20])
  })

  test('ends its last steps at the edge', () => {
    const last = measuredIn(simulation.steps).at(-1)!.load.rate!
    expect(Math.abs(Math.log(last / truth))).toBeLessThan(0.15)
  })
})

test('a search takes as long as its budget', async () => {
  const { measure, steps, samples } = made('in turn, even work')
  await driveLoad({ ...search, budget: 40 }, measure, { samples, slo })
  expect(lasted(steps)).toEqual([13, 13, 13])
})

test('a search ends as soon as its interval is as narrow as asked', async () => {
  const { measure, steps, samples } = made('in turn, even work')
  await driveLoad({ ...search, precision: 0.5 }, measure, { samples, slo })
  expect(measuredIn(steps)).toHaveLength(3)
})

test('where a process dies, lower rates follow until the edge is found', async () => {
  const simulation = made('memory ends it')
  await driveLoad(search, simulation.measure, { samples: simulation.samples, slo })
  const { estimate, interval } = capacityIn(simulation)!
  expect(estimate).toMatchObject({ basis: 'steps', signs: expect.arrayContaining(['death']) })
  expect(interval!.low).toBeLessThanOrEqual(madeKinds['memory ends it']!.truth)
  expect(interval!.high).toBeGreaterThanOrEqual(madeKinds['memory ends it']!.truth)
})

test('in turns, each is filled ten times before its first step at a rate, which its last full turns tell', async () => {
  const { measure, steps, samples } = made('threads')
  await drivePaired(search, measure, { samples, slo })
  const turns = steps.filter(({ purpose }) => purpose !== 'warm-up')
  expect(turns.map(({ purpose }) => purpose)).toEqual([
    ...Array.from({ length: 10 }, () => 'full'),
    ...Array.from({ length: 5 }, () => 'measure'),
  ])
  const [first] = measuredIn(steps)
  expect(Math.abs(Math.log(first!.load.rate! / madeKinds.threads!.truth))).toBeLessThan(0.3)
})

describe('a server that is cold', () => {
  /** It takes twice as long for the first requests. */
  const cold = (requests: number) =>
    simulate((clock) => machine({ uneven: 0.3, coldFor: requests, coldTimes: 2 })(clock, 1), slo, {
      arrivals: 'random',
    })

  test('is filled until it no longer gets faster, and its capacity is that of a warm one', async () => {
    const { measure, steps, samples } = cold(150)
    await driveLoad(search, measure, { samples, slo })
    const { estimate, interval } = capacityOf('search', steps, { samples, slo })!
    expect(estimate!.signs).not.toContain('cold')
    const { truth } = madeKinds['in turn, even work']!
    expect(interval!.low).toBeLessThan(truth)
    expect(interval!.high).toBeGreaterThan(truth)
  })
})

test('a generator that falls behind is named as the limit, and its limit is not searched for', async () => {
  const simulation = simulate(serverOf('fixed', 1000, 1), slo, { most: 300 })
  await driveLoad(search, simulation.measure, { samples: simulation.samples, slo })
  const verdict = verdictOf('search', simulation.steps, capacityIn(simulation), null)
  expect(verdict.reasons.map(({ code }) => code)).toEqual(['generator-behind'])
  expect(measuredIn(simulation.steps)).toHaveLength(2)
})

test('a step that is too short for its executions is driven again for longer, and the others are as long', async () => {
  const asked: number[] = []
  const steps: Parameters<typeof driveLoad>[1] = async (shape, duration, { purpose }) => {
    const load = { shape: shape.kind, throughput: 20, startedAt: 0, endedAt: 1000 * duration }
    if (purpose === 'warm-up') return { purpose, load, reasons: [], accounting: { finished: null } } as unknown as Step
    asked.push(duration)
    const because = duration < 30 ? ['too-short'] : []
    return {
      purpose,
      load: { ...load, rate: 10 },
      holds: because.length === 0,
      reasons: because.map((code) => ({ code })),
      times: { ran: { p50: 12_500 } },
    } as unknown as Step
  }
  await driveLoad(search, steps, nothing)
  expect(asked[0]).toBe(20)
  expect(asked.slice(1).every((seconds) => seconds >= 30)).toBe(true)
  expect(asked.length).toBeGreaterThan(2)
})

test('in turns, a step that is too short for its executions makes the later ones as long as they need', async () => {
  const asked: number[] = []
  const measure: Parameters<typeof drivePaired>[1] = async (shape, duration, { purpose }) => {
    if (purpose === 'measure') asked.push(duration)
    return {
      purpose,
      load: { shape: shape.kind, rate: 10, throughput: 20, accepted: 100, startedAt: 0, endedAt: 1000 * duration },
      reasons: purpose === 'measure' && duration < 30 ? [{ code: 'too-short' }] : [],
      accounting: { finished: null },
      times: { ran: { p50: 8000 } },
    } as unknown as Step
  }
  await drivePaired(search, measure, nothing)
  expect(asked.slice(0, 3)).toEqual([20, 40, 40])
})

test('a warm-up does not bury a server that accepts more than it finishes', async () => {
  const simulation = simulate(serverOf('leak', 10, 1), slo)
  await driveLoad(search, simulation.measure, { samples: simulation.samples, slo })
  const [, ...later] = simulation.steps.filter(({ purpose }) => purpose === 'warm-up')
  for (const { load } of later.slice(1)) expect(load.rate).toBeLessThan(25)
})

test('an n8n that answers before it works is filled by a rate, and has soon worked that off', async () => {
  const { measure, steps, samples } = simulate(serverOf('leak', 10, 1), slo)
  await drivePaired(search, measure, { samples, slo })
  const full = steps.filter(({ purpose }) => purpose === 'full')
  expect(full.map(({ load }) => load.shape)).toEqual(full.map(() => 'constant'))
  for (const { load } of full.slice(1)) {
    expect(load.rate).toBeGreaterThan(12)
    expect(load.rate).toBeLessThan(25)
  }
  expect(capacityOf('search', steps, { samples, slo })!.rate).toBeGreaterThan(8)
})

test('what an n8n that answers before it works sustains shows once it has worked off its warm-up', async () => {
  const load = { throughput: 30, accepted: 120, startedAt: 1000, endedAt: 5000 }
  const { reached } = await warmUp(
    async () => ({ load, reasons: [], accounting: { finished: 4, waiting: 116 } }) as unknown as Step,
    { samples: [], workOff: async () => 41_000 },
  )
  expect(reached).toBe(3)
})

test('one that may use a third of a core is warmed up for three times as long', async () => {
  const asked: number[] = []
  const steps: Parameters<typeof driveLoad>[1] = async (_, duration, { purpose }) => {
    if (purpose === 'warm-up') asked.push(duration)
    const load = { throughput: 100, startedAt: 0, endedAt: 5000 }
    return { load, reasons: [], accounting: { finished: null } } as unknown as Step
  }
  const load = { shape: 'constant', rate: 10, duration: 20, timeout: 30 } as const
  await driveLoad(load, steps, { ...nothing, cores: 1 / 3 })
  expect(asked).toEqual([12, 12, 12])
})

test('a warm-up to a constant rate ends with what sustains it easily, though not before a few rounds', async () => {
  const roundsAt = async (rate: number) => {
    let rounds = 0
    const steps: Parameters<typeof driveLoad>[1] = async (_, __, { purpose }) => {
      const load = { throughput: 100 * 1.2 ** rounds, startedAt: 0, endedAt: 5000 }
      if (purpose === 'warm-up') rounds++
      return { load, reasons: [], accounting: { finished: null } } as unknown as Step
    }
    await driveLoad({ shape: 'constant', rate, duration: 20, timeout: 30 }, steps, nothing)
    return rounds
  }
  expect(await roundsAt(10)).toBe(3)
  expect(await roundsAt(100)).toBe(5)
  expect(await roundsAt(1000)).toBe(8)
})

describe('clients of a warm-up', () => {
  /** In each round n8n finishes a third more than before, since V8 compiles what it runs. */
  const clientsWith = async (cores: (clients: number) => number) => {
    const clients: number[] = []
    const samples: Sample[] = []
    let at = 0
    await warmUp(
      async (shape) => {
        const vus = shape.kind === 'closed' ? shape.vus : 0
        const throughput = 4 * 1.33 ** clients.length
        clients.push(vus)
        const load = { shape: 'closed', throughput, startedAt: at, endedAt: at + 5000 }
        for (; at <= load.endedAt; at += 1000)
          samples.push({ at, process: 'main', cpu: cores(vus), executions: null } as unknown as Sample)
        return { purpose: 'warm-up', load, reasons: [], accounting: { finished: null } } as unknown as Step
      },
      { samples },
    )
    return clients
  }

  test('double while they make n8n busier', async () => {
    const clients = await clientsWith((asked) => asked / 1000)
    expect(clients.slice(0, 8)).toEqual([6, 12, 24, 48, 96, 192, 256, 256])
  })

  test('are no more than fill it: they would only cost memory', async () => {
    expect((await clientsWith(() => 1)).slice(0, 5)).toEqual([6, 12, 6, 6, 6])
  })
})

test('in turns, a step at a low rate lasts twice as long, and there are as many as there is time for', async () => {
  const { measure, steps, samples } = made('threads')
  await drivePaired({ ...search, max: 1 }, measure, { samples, slo })
  expect(lasted(steps.filter(({ load }) => load.rate === 1))).toEqual([40, 40, 40])
})
