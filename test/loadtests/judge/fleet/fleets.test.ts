import { usualPause, usualVariation } from '../../../../loadtests/src/judge/fleet/measured.ts'
import { summarise } from '../../../../loadtests/src/judge/summarise.ts'
import type { Latency } from '../../../../loadtests/src/model/load-result.ts'
import type { RunRecord } from '../../../../loadtests/src/model/record.ts'
import { asked, demands, fleetRun } from '../../fixtures/fleet-runs.ts'
import { quickRun } from '../../fixtures/runs.ts'

/** What the records of a run say of a fleet. */

const fleetOf = (records: RunRecord[]) => summarise(records).fleets![0]!

test('every part’s demand and what it asks of the stores come out as they went in', () => {
  const fleet = fleetOf(fleetRun())
  for (const { part, seconds, idleKnown } of fleet.demands) {
    expect([part, seconds / demands[part as keyof typeof demands]]).toEqual([part, expect.closeTo(1, 1)])
    expect(idleKnown).toBe(true)
  }
  expect(fleet.execution.transactions).toBeCloseTo(asked.transactions, 1)
  expect(fleet.execution.written).toBeCloseTo(asked.written, -2)
  expect(fleet.execution.commands).toBeCloseTo(asked.commands, 1)
  expect(fleet).toMatchObject({ steps: 6, slots: 10, rates: { least: 6, most: 36 }, tag: '2.41.1' })
})

test('workers, their limits, memory and connections are those of the run', () => {
  const worker = fleetOf(fleetRun()).demands.find(({ part }) => part === 'worker')
  expect(worker).toMatchObject({
    processes: { least: 1, most: 2 },
    cpu: 0.8,
    memory: 2 ** 30,
    peak: 600 * 2 ** 20,
    connections: 5,
  })
})

const changed = (records: RunRecord[], change: (step: Extract<RunRecord, { type: 'step' }>) => RunRecord) =>
  records.map((record) => (record.type === 'step' ? change(record) : record))

const bottleneck = { code: 'cores', process: null, what: '', advice: '' } as const
const mapLatency = (latency: Latency, of: (time: number) => number): Latency => ({
  ...latency,
  mean: of(latency.mean),
  p50: of(latency.p50),
  p95: of(latency.p95),
})

test('a step that n8n did not keep up with says nothing of a demand', () => {
  const behind = changed(fleetRun(), (step) =>
    step.load.rate === 36 ? { ...step, accounting: { ...step.accounting, backlogGrowth: 0.3 } } : step,
  )
  expect(fleetOf(behind)).toMatchObject({ steps: 5, rates: { most: 24 } })
})

test('nor does a warm-up', () => {
  const warm = changed(fleetRun(), (step) => (step.load.rate === 6 ? { ...step, purpose: 'warm-up' } : step))
  expect(fleetOf(warm)).toMatchObject({ steps: 5, rates: { least: 12 } })
})

test('callers who wait for each other tell demands, and nothing of the times of random ones', () => {
  const closed = changed(fleetRun(), (step) => ({ ...step, load: { ...step.load, shape: 'closed' } }))
  const fleet = fleetOf(closed)
  expect(fleet.demands.find(({ part }) => part === 'worker')!.seconds / demands.worker).toBeCloseTo(1, 1)
  expect(fleet).toMatchObject({ steps: 6, fromCallers: false, pause: usualPause, variation: usualVariation })
})

test('a process too busy to answer a look hides a backlog of callers at random, and none of those who wait', () => {
  const silent = (shape: 'closed' | 'constant') =>
    changed(fleetRun(), (step) => ({
      ...step,
      load: { ...step.load, shape },
      reasons: [{ code: 'silent', text: '', advice: '' }],
    }))
  expect(fleetOf(silent('closed'))).toMatchObject({ steps: 6 })
  expect(summarise(silent('constant')).fleets).toBeUndefined()
})

test('callers who waited for the few cores of this machine tell no delay of a fleet that has its own', () => {
  const later = (time: number) => time + 1000
  const crowded = changed(fleetRun(), (step) =>
    step.load.rate === 6
      ? step
      : {
          ...step,
          load: { ...step.load, latency: mapLatency(step.load.latency!, later) },
          reasons: [{ code: 'latency', text: '', advice: '', bottleneck }],
        },
  )
  expect(fleetOf(crowded).delay).toBeLessThan(0.1)
})

test('callers who are answered before the execution ends do not wait for workers', () => {
  const early = changed(fleetRun(), (step) => ({
    ...step,
    times: { waited: { p50: 2, p95: 5 }, ran: { p50: 5000, p95: 5200 } },
  }))
  const fleet = fleetOf(early)
  expect(fleet.atOnce).toBe(true)
  expect(fleet.held).toBeGreaterThan(4.8)
})

test('a run in regular mode has no fleet', () => {
  expect(summarise(quickRun()).fleets).toBeUndefined()
})
