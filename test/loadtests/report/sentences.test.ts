import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { method } from '../../../loadtests/src/report/method.ts'
import { deaths, finished, headline, told } from '../../../loadtests/src/report/sentences.ts'
import { T0, cell, closed, end, exited, run, step } from '../fixtures/records.ts'
import { sideBySide } from '../fixtures/rounds.ts'
import { closedRun } from '../fixtures/runs.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const tellOf = (summary: Summary, index = 0): string => told(summary.results[index], summary)
const tell = (...records: RunRecord[]): string => tellOf(summarise([run(), cell(0), ...records, end()]))

test('tells rate, latency, executions and what broke it', () => {
  expect(tell(step(0, 100), step(0, 110, { because: ['latency'] }))).toBe(
    'It may sustain about 100/s (51.7 to 214), one run: held at 100/s (p95 80 ms), missed at 110/s (p95 80 ms). '
      + 'All 1,000 accepted executions finished. At 110/s it broke: p95 was 80 ms, the objective is 500 ms.',
  )
})

test('says which answers do not count for latency', () => {
  const { experiment } = summarise([run(), end()])
  expect(method(experiment)).toContain(
    '; the first 1.5 s of each step, in which the generator opens its connections, are excluded from latency only',
  )
  expect(method({ ...experiment, load: closed })).not.toContain('count for everything but latency')
})

test('says where no limit was met', () => {
  expect(tell(step(0, 100))).toContain('it may sustain more')
})

test('gives the spread where there are repeats', () => {
  expect(tell(step(0, 100, { repeat: 1 }), step(0, 104, { repeat: 2 }))).toContain(
    ', 2 repeats, spread 3.9 %: held at 104/s (p95 80 ms).',
  )
})

test('says what a generator at its end leaves open', () => {
  expect(tell(step(0, 100), step(0, 150, { because: ['generator-behind'] }))).toContain(
    'It may sustain more: The generator left 40 requests unsent.',
  )
})

test('says that nothing held, and why', () => {
  expect(tell(step(0, 5, { because: ['oom-killed'] }))).toBe(
    'It held no rate. At 5/s: main-0 was killed for memory at its limit of 1 GiB.',
  )
})

test('never gives the rate of a closed shape without its missed objective', () => {
  expect(tellOf(summarise(closedRun()))).toMatch(
    /^own answers about 1.85\/s \(.*\) with p95 at 10 s, .* and misses the objective: /,
  )
})

test('says of a cell that was not reached that it was not measured', () => {
  expect(tell()).toBe('It was not measured: the run ended before.')
})

test('says why a cell could not be measured', () => {
  expect(
    tell({
      type: 'cell-failed',
      cell: 0,
      at: T0,
      code: 'never-ready',
      message: 'main-0 ended with exit code 255.',
      log: [],
    }),
  ).toBe('It could not be measured: main-0 ended with exit code 255.')
})

test('does not say of executions what nobody knows', () => {
  expect(
    finished({
      accepted: 100,
      finished: null,
      failed: null,
      waiting: null,
      lost: null,
      lostExecutions: [],
      backlogGrowth: null,
    }),
  ).toBe('100 executions were accepted; how many of them finished is unknown.')
})

test('accounts for executions that did not finish', () => {
  expect(
    finished({ accepted: 100, finished: 90, failed: 1, waiting: 4, lost: 5, lostExecutions: [], backlogGrowth: null }),
  ).toBe('Of 100 accepted executions 90 finished, 1 failed, 4 still waiting and 5 lost.')
})

test('counts how often a process died, and of what', () => {
  const { results } = summarise([
    run(),
    cell(0),
    exited(0, 'oom-killed'),
    exited(0, 'crashed'),
    exited(0, 'oom-killed'),
    end(),
  ])
  expect(deaths(results[0])).toBe('main-0 was killed for memory twice and main-0 crashed')
})

test('the headline names the workflow under which nothing met the objective', () => {
  const records = [
    run({ experiment: { workflows: ['a', 'b'], variants: [{ name: 'tuned', values: {} }] } }),
    cell(0, { workflow: 'a' }),
    step(0, 50),
    cell(1, { workflow: 'b' }),
    step(1, 5, { because: ['latency'] }),
    end(),
  ]
  expect(headline(summarise(records))).toBe(
    'This n8n sustains at least 45.7/s of a: held at 50/s (p95 80 ms). Under b nothing met the objective.',
  )
})

test('the headline of a closed shape names the clients', () => {
  const records = [run({ experiment: { load: closed } }), cell(0), step(0, null, { throughput: 80 }), end()]
  expect(headline(summarise(records))).toBe('This n8n answers 80/s of ping-webhook to 8 clients.')
})

test('the headline says how many times what is needed was sustained, and where that lies', () => {
  const needed = run({ experiment: { need: 4, needIs: 'the busiest minute of the last 7 days' } })
  const records = [needed, cell(0), step(0, 13.6), step(0, 15, { because: ['latency'] }), end()]
  expect(headline(summarise(records))).toBe(
    'This n8n sustains about 13.6/s (7.1 to 28.8) of ping-webhook, 3.4 times the busiest minute of the last 7 days '
      + '(4/s, between 1.8 and 7.2 times): held at 13.6/s (p95 80 ms), missed at 15/s (p95 80 ms).',
  )
})

test('the headline of what ran side by side is what the same load takes', () => {
  expect(headline(summarise(sideBySide([{ cores: 0.5 }, { cores: 0.5 }], [{ cores: 0.6 }, { cores: 0.61 }])))).toBe(
    'Side by side at 50/s, after takes 21 % more CPU a request than before, ± 13 %.',
  )
  expect(headline(summarise(sideBySide([{}, {}], [{}, {}])))).toBe(
    'Side by side at 50/s, after takes as much CPU a request as before, ± 0 %.',
  )
})
