import { latencyAt, throughputOf } from '../../loadtests/src/judge/fleet/model.ts'
import { usualSize } from '../../loadtests/src/judge/fleet/plan.ts'
import { lookAt, measured } from '../support/fleet-looks.ts'
import { tried } from '../support/tried-fleets.ts'
import { simulate, type FleetSetup } from '../support/simulated-fleet.ts'

/** The capacity model against fleets of another making: discrete events, in which nothing of the model is. */

type Setup = Omit<FleetSetup, 'rate' | 'workers' | 'processors'>

/** `make bench-fleets` tries 200 of them. Where more workers hardly change the p95, fewer do not miss it. */
test('of 30 random fleets, the smallest meets its objective in 26, and with one worker fewer 17 miss it', () => {
  const { met, missed } = tried(30)
  expect(met).toBeGreaterThanOrEqual(26)
  expect(missed).toBeGreaterThanOrEqual(17)
})

const usual: Setup = {
  seed: 7,
  requests: 20_000,
  demands: { webhook: 0.008, worker: 0.03, redis: 0.0002, postgresql: 0.003 },
  cores: { webhook: 1, worker: 0.8, postgresql: 4 },
  slots: 10,
  idle: 0.02,
  variation: 0.5,
  held: 0.05,
  garbage: { cpu: 0.09, every: 40 },
}
const fleet = measured(usual)

test.each([4, 10, 100])('%i workers: p95 at 50 and 70 % within a fifth, from runs of one and two', (workers) => {
  // Redis has one core, of which the largest of these fleets would need more.
  const demands = { ...usual.demands, redis: usual.demands.redis / workers }
  const own = {
    ...fleet,
    demands: fleet.demands.map((one) => (one.part === 'redis' ? { ...one, seconds: demands.redis } : one)),
  }
  for (const share of [0.5, 0.7]) {
    const rate = share * throughputOf(own, { ...usualSize(own), webhook: workers, worker: workers }).middle
    const processors = Math.ceil((rate * usual.demands.webhook) / 0.6)
    const cores = { ...usual.cores, postgresql: Math.ceil((rate * usual.demands.postgresql) / 0.7) }
    const requests = Math.max(20_000, 100 * workers)
    const seen = simulate({ ...usual, demands, cores, requests, rate, processors, workers, crowded: 1.04 })
    const { p95 } = latencyAt(own, { ...usualSize(own), webhook: processors, worker: workers }, rate)
    expect(Math.abs(p95.middle / seen.latency.p95 - 1)).toBeLessThan(0.2)
  }
})

test('what a fleet demands is told from its runs within a twentieth', () => {
  for (const part of ['webhook', 'worker', 'redis', 'postgresql'] as const) {
    const { seconds, within } = fleet.demands.find((demand) => demand.part === part)!
    const demanded = usual.demands[part] + (part === 'worker' ? usual.garbage!.cpu / usual.garbage!.every : 0)
    expect(seconds / demanded).toBeGreaterThan(0.95)
    expect(seconds / demanded).toBeLessThan(1.05)
    expect(within! / seconds).toBeLessThan(0.1)
  }
  expect(fleet.held / usual.held).toBeGreaterThan(0.8)
  expect(fleet.held / usual.held).toBeLessThan(1.2)
})

test('a worker that takes no jobs for a while makes callers wait, and the fleet catches up', () => {
  const setup = { ...usual, rate: 60, processors: 2, workers: 4 }
  const whole = simulate(setup)
  const paused = simulate({ ...setup, pauses: [{ worker: 0, from: 60, seconds: 60 }] })
  expect(paused.latency.p95).toBeGreaterThan(whole.latency.p95)
  expect(paused.latency.p50).toBeLessThan(2 * whole.latency.p50)
})

test('the same seed gives the same fleet', () => {
  const setup = { ...usual, requests: 2000, rate: 30, processors: 2, workers: 2 }
  expect(lookAt(setup)).toEqual(lookAt(setup))
})
