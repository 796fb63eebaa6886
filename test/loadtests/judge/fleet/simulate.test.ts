import { random } from '../../../../loadtests/src/judge/estimate/random.ts'
import { simulate, type Loop, type Setup } from '../../../../loadtests/src/judge/fleet/simulate.ts'

/** Fleets so simple that a closed form says what they do. */

const nothing: Loop = { seconds: 0, cores: 1, threads: 1, idle: 0 }
const one: Setup = {
  processors: 0,
  processor: nothing,
  workers: 1,
  worker: { seconds: 0.05, cores: 1, threads: 1, idle: 0 },
  pause: null,
  runner: null,
  slots: 1e6,
  redis: 0,
  postgresql: { seconds: 0, cores: 1 },
  variation: 0,
  held: 0,
  heldVariation: 0,
  atOnce: false,
  delay: 0,
}

function arrivalsAt(rate: number, count = 40_000): Float64Array {
  const next = random(5)
  let at = 0
  return Float64Array.from({ length: count }, () => (at -= Math.log(1 - next()) / rate))
}

const seen = (setup: Setup, rate: number, count?: number) => simulate(setup, arrivalsAt(rate, count), random(3))
const meanOf = (all: Float64Array) => all.reduce((total, value) => total + value, 0) / all.length
const p95Of = (all: Float64Array) => all.toSorted()[Math.floor(0.95 * all.length)]!

/** With one slot, the next execution begins when the last one has ended: a queue with one server. */
const queue = { ...one, slots: 1 }

test('M/D/1: executions that all take the same wait for half as long as random ones', () => {
  expect(meanOf(seen(queue, 14).latency) / (0.05 * (1 + 0.7 / (2 * 0.3)))).toBeCloseTo(1, 1)
})

test('M/M/1: random ones take service ÷ (1 − load), and their p95 three times that', () => {
  const { latency } = seen({ ...queue, variation: 1 }, 10)
  expect(meanOf(latency) / 0.1).toBeCloseTo(1, 1)
  expect(p95Of(latency) / (0.1 * Math.log(20))).toBeCloseTo(1, 1)
})

test('Erlang C: two workers of one slot', () => {
  const { latency } = seen({ ...queue, workers: 2, variation: 1 }, 20)
  // At a load of one they are both busy a third of the time.
  expect(meanOf(latency) / (0.05 + (1 / 3) * 0.05)).toBeCloseTo(1, 1)
})

test('a wait for other services holds a slot: ten slots of a second do ten a second', () => {
  const { end } = seen({ ...one, slots: 10, worker: { ...one.worker, seconds: 1e-4 }, held: 1 }, 1000, 2000)
  expect(2000 / end).toBeGreaterThan(9.8)
  expect(2000 / end).toBeLessThan(10.1)
})

test('a quota lets short work run at full speed, and makes long work wait for its next tenth of a second', () => {
  const slow = (seconds: number) =>
    p95Of(seen({ ...one, worker: { seconds, cores: 0.2, threads: 1, idle: 0 } }, 0.01, 400).latency)
  expect(slow(0.01)).toBeLessThan(0.1)
  expect(slow(0.1)).toBeGreaterThan(0.35)
  expect(slow(0.1)).toBeLessThan(0.6)
})

test('a pause makes late answers later, and takes nothing from the throughput that its CPU is counted in', () => {
  const pause = { cpu: 0.3, every: 40 }
  const [without, paused] = [seen(one, 10), seen({ ...one, pause }, 10)]
  expect(p95Of(paused.latency)).toBeGreaterThan(1.2 * p95Of(without.latency))
  const full = new Float64Array(10_000)
  const rate = (setup: Setup) => full.length / simulate(setup, full, random(1)).end
  expect(rate({ ...one, pause }) / rate(one)).toBeCloseTo(1, 1)
})

test('without load a process uses its idle share: so much less is left for executions', () => {
  const full = new Float64Array(5000)
  const idle = { ...one, worker: { ...one.worker, idle: 0.2 } }
  expect((5000 / simulate(idle, full, random(1)).end) * 0.05).toBeCloseTo(0.8, 1)
})

test('who is answered at once does not wait for workers', () => {
  const slow = { ...one, slots: 1, held: 5, processors: 1, processor: { ...nothing, seconds: 0.01 }, atOnce: true }
  expect(p95Of(seen(slow, 1, 200).latency)).toBeLessThan(0.1)
})

test('Redis and PostgreSQL make callers wait when they are what is full', () => {
  const through = { ...one, processors: 1, processor: { ...nothing, seconds: 0.001 }, workers: 50 }
  const p95 = (setup: Setup) => p95Of(seen(setup, 40, 4000).latency)
  const usual = p95(through)
  expect(p95({ ...through, redis: 0.03 })).toBeGreaterThan(2 * usual)
  expect(p95({ ...through, postgresql: { seconds: 0.03, cores: 1 } })).toBeGreaterThan(2 * usual)
})

test('the same seed says the same', () => {
  expect(seen(one, 10, 500)).toEqual(seen(one, 10, 500))
})
