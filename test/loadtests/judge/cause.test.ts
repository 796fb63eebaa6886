import { causeOf } from '../../../loadtests/src/judge/cause.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Cause } from '../../../loadtests/src/model/answer.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'
import type { Bottleneck, ReasonCode } from '../../../loadtests/src/model/step.ts'
import { causeInWords } from '../../../loadtests/src/report/answered.ts'
import { cell, end, run, sample, step, T0 } from '../fixtures/records.ts'

/** What limits an n8n, from the records that such an n8n makes. */

const searched = (code: ReasonCode, bottleneck?: Partial<Bottleneck>, cpu = 0.3): Result => {
  const broke = step(0, 13, { because: [code], startedAt: T0 + 20_000 })
  const reasons = (broke as { reasons: object[] }).reasons.map((reason) => ({
    ...reason,
    ...(bottleneck && { bottleneck: { process: null, what: '', advice: '', ...bottleneck } }),
  }))
  const looks = Array.from({ length: 10 }, (_, second) => sample(0, T0 + second * 1000, { cpu }))
  return summarise([
    run({ experiment: { variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    ...looks,
    step(0, 11),
    { ...broke, reasons } as ReturnType<typeof step>,
    end(),
  ]).results[0]!
}
const limit = (result: Result): Cause | null => causeOf(result)

const estimate = {
  capacity: { low: 11.9, rate: 13, high: 14.1 },
  safe: { rate: 11.9, chance: 0.975 },
  demand: { low: 0.054, cpu: 0.055, high: 0.056 },
  throughput: 18.1,
  cores: 1,
  share: 0.72,
  basis: 'model' as const,
  signs: [],
}
const fitted = (result: Result, over: object = {}): Result => ({
  ...result,
  capacity: { ...result.capacity!, estimate: { ...estimate, ...over } },
})
const waiting = (result: Result, waited: number): Result => ({
  ...result,
  outside: { calls: [], cpu: { seconds: 0, peak: 0 }, turnedAway: 0, left: [], perRequest: { calls: 1, waited } },
})

test.each<[string, Result, Cause['code']]>([
  ['one busy event loop', searched('latency', { code: 'event-loop', process: 'main-0' }), 'one-core'],
  ['a limit of one core', searched('latency', { code: 'cpu-limit', process: 'main-0' }), 'one-core'],
  ['one core at 70 %, that no step named', searched('latency', { code: 'unknown' }, 0.72), 'one-core'],
  ['the editor’s list', searched('latency', { code: 'execution-list' }), 'execution-list'],
  ['PostgreSQL’s disk', searched('latency', { code: 'database-disk' }), 'postgresql'],
  ['PostgreSQL’s CPU', searched('latency', { code: 'cpu-limit', process: 'postgresql-0' }), 'postgresql'],
  ['Redis', searched('latency', { code: 'redis' }), 'redis'],
  ['services that are waited for', waiting(searched('latency', { code: 'unknown' }), 400), 'services'],
  ['a full heap', searched('latency', { code: 'heap', process: 'main-0' }), 'memory'],
  ['a death at the memory limit', searched('oom-killed'), 'memory'],
  ['pauses', fitted(searched('latency', { code: 'event-loop', process: 'main-0' }), { signs: ['pauses'] }), 'pauses'],
  ['the slots of the task runner', searched('latency', { code: 'runner-slots' }), 'runner'],
  ['services that a step saw', searched('latency', { code: 'services' }), 'services'],
  ['slots of workers', searched('backlog', { code: 'concurrency' }), 'slots'],
  ['the generator', searched('generator-behind'), 'generator'],
  ['others on the machine', searched('machine-busy'), 'machine'],
  ['none of these', searched('latency', { code: 'unknown' }), 'unknown'],
])('%s is named right', (_, result, code) => {
  expect(limit(result)?.code).toBe(code)
})

test('one core is told with what an execution takes, what is the most, and where the objective ends', () => {
  const result = fitted(searched('latency', { code: 'event-loop' }))
  expect(causeInWords({ limit: limit(result), capacity: { ...estimate.capacity, basis: 'model' } }, 500)).toBe(
    'n8n’s one core: 55 ms of CPU an execution, 18.1/s at most; p95 passes 500 ms near 72 % of it.',
  )
})

test('of what broke nowhere, no limit is told', () => {
  const { results } = summarise([run(), cell(0), step(0, 50), end()])
  expect(limit(results[0]!)).toBeNull()
})
