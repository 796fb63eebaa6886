import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { judgeAgain } from '../../../loadtests/src/judge/verdict.ts'
import { askedFor } from '../../../loadtests/src/report/another-objective.ts'
import { verdictOfStep } from '../../../loadtests/src/report/reason-words.ts'
import { driveLoad } from '../../../loadtests/src/run/drive-load.ts'
import { kinds, serverOf } from '../../support/synthetic/curves.ts'
import { search, slo } from '../../support/synthetic/points.ts'
import { simulate } from '../../support/synthetic/simulate.ts'
import { cell, end, run, step, T0 } from '../fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

test.each(kinds)('a step against a server of kind %s is judged as it was, by the same objective', async (kind) => {
  const { measure, steps, samples } = simulate(serverOf(kind, 60, 1), slo)
  await driveLoad(search, measure, { samples, slo })
  for (const one of steps)
    expect(verdictOfStep(judgeAgain(one, slo))).toEqual({
      holds: one.holds,
      reasons: one.reasons,
      lateness: one.lateness,
    })
})

test('by a looser one a step holds that did not, by a stricter one the other way round', async () => {
  const { measure } = simulate(serverOf('fixed', 50, 1), slo)
  const late = await measure({ kind: 'constant', rate: 52 }, 20, { purpose: 'measure', endOnExit: false })
  expect(late.reasons.map(({ code }) => code)).toContain('latency')
  expect(judgeAgain(late, { ...slo, p95: 60_000, backlog: 1 }).holds).toBe(true)
  const early = await measure({ kind: 'constant', rate: 10 }, 20, { purpose: 'measure', endOnExit: false })
  expect(early.holds).toBe(true)
  expect(judgeAgain(early, { ...slo, p95: 0.01 }).reasons.map(({ code }) => code)).toEqual(['latency'])
})

test('p99 is an objective beside p95', () => {
  const [one] = [step(0, 50, { p95: 400 })] as Extract<RunRecord, { type: 'step' }>[]
  expect(judgeAgain(one!, { ...slo, p99: 1000 }).holds).toBe(true)
  expect(judgeAgain(one!, { ...slo, p99: 600 }).reasons).toMatchObject([
    { code: 'latency', share: 0.99, taken: 640, bound: 600 },
  ])
})

test('a process that died has died by any objective', () => {
  const [one] = [step(0, 50, { because: ['oom-killed'] })] as Extract<RunRecord, { type: 'step' }>[]
  expect(judgeAgain(one!, { ...slo, p95: 60_000, errors: 1, backlog: 1 })).toMatchObject({
    holds: false,
    reasons: [{ code: 'oom-killed' }],
  })
})

test('a whole run is asked again: its capacity is another, and the objective that of the question', () => {
  const records = [
    run(),
    cell(0),
    step(0, 50, { p95: 100 }),
    step(0, 60, { p95: 300, startedAt: T0 + 20_000 }),
    step(0, 70, { p95: 900, because: ['latency'], startedAt: T0 + 40_000 }),
    end(),
  ]
  const rate = (p95: number) => summarise(askedFor({ p95 }, records)).results[0]!.capacity?.rate
  expect([summarise(records).results[0]!.capacity?.rate, rate(500), rate(200), rate(1000)]).toEqual([60, 60, 50, 70])
  expect(summarise(askedFor({ p99: 1000 }, records)).experiment.slo).toMatchObject({ p95: 500, p99: 1000 })
})

test('the distribution of answers stays in the record: a summary is to be read', () => {
  const [one] = [step(0, 50)] as Extract<RunRecord, { type: 'step' }>[]
  const records = [run(), cell(0), { ...one!, load: { ...one!.load, distribution: 'HIST' } }, end()]
  expect(JSON.stringify(summarise(records))).not.toContain('HIST')
})
