import { parse } from 'yaml'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderValues } from '../../../loadtests/src/report/values.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { cell, constant, end, run, step } from '../fixtures/records.ts'
import { sideBySide } from '../fixtures/rounds.ts'
import { closedRun, quickRun } from '../fixtures/runs.ts'

interface Run {
  environment: object
}

test('holds the recommended values, and what they sustain for the notes of the chart', () => {
  expect(parse(renderValues(summarise(quickRun())))).toEqual({
    image: { tag: '2.41.1' },
    main: { resources: { limits: { cpu: '1', memory: '1Gi' } } },
    tuning: { tier: 'tuned' },
    measured: expect.stringMatching(/^tuned sustains 113\/s of wait-5s-webhook.* Measured elsewhere: /),
  })
})

test('keeps strings strings where YAML would read a number', () => {
  const base = { image: { tag: '2.41' }, main: { resources: { limits: { cpu: '1' } } } }
  const records = [
    run({ experiment: { base, variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    step(0, 50),
    end(),
  ]
  expect(parse(renderValues(summarise(records)))).toEqual({
    ...base,
    measured: 'tuned sustains 50/s of ping-webhook. Measured elsewhere: Example CPU @ 2.50GHz, 2 cores, 2026-11-20.',
  })
})

describe('what the alerts of the chart go by', () => {
  const own = (workflow: string, ...more: Parameters<typeof step>[2][]) =>
    summarise([
      run({ experiment: { workflows: [workflow], variants: [{ name: 'tuned', values: {} }] } }),
      cell(0, { workflow }),
      step(0, 50, more[0]),
      step(0, 60, { because: ['latency'], ...more[0] }),
      end(),
    ])
  const capacityIn = (summary: Summary) => (parse(renderValues(summary)) as { capacity?: object } | null)?.capacity

  test('is the capacity of an own workflow, with its range, the safe rate, and where it was measured', () => {
    const { capacity, safe } = own('orders').answer.configurations[0]!
    expect(capacityIn(own('orders'))).toEqual({
      rate: 50,
      safe: Number(safe!.rate.toPrecision(3)),
      low: Number(capacity!.low!.toPrecision(3)),
      high: Number(capacity!.high!.toPrecision(3)),
      workflow: 'orders',
      date: '2026-11-20',
      measuredOn: 'Example CPU @ 2.50GHz, 2 cores',
    })
  })

  test.each([
    ['of a sample of ours, which says nothing of theirs', own('ping-webhook')],
    ['of several workflows, as n8n does not say which one it is asked for', summarise(quickRun())],
    ['of a fixed number of clients, which have no rate of their own', summarise(closedRun())],
    ['of one rate, of which only that much is known', heldAt50()],
    ['of a search that the generator ended', own('orders', { because: ['generator-behind'] })],
  ])('is nothing %s', (_, summary) => {
    expect(capacityIn(summary)).toBeUndefined()
  })
})

function heldAt50() {
  const experiment = { load: constant, workflows: ['orders'], variants: [{ name: 'tuned', values: {} }] }
  return summarise([run({ experiment }), cell(0, { workflow: 'orders' }), step(0, 50, { seconds: 30 }), end()])
}

test('says which run it is from, which capacity, and why', () => {
  const header = renderValues(summarise(quickRun()))
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .join(' ')
    .replaceAll(' # ', ' ')
  expect(header).toContain('Run 20261120-090000-quick')
  expect(header).toContain('tuned sustains 113/s of wait-5s-webhook')
  expect(header).toContain('p95 ≤ 500 ms')
})

test('without a recommendation it says so and stays a values file', () => {
  const text = renderValues(summarise([run()]))
  expect(text).toContain('No values are recommended.')
  expect(parse(text)).toBeNull()
})

test('no text of a run leaves its comment', () => {
  const text = renderValues(summarise([run({ command: 'n8n-tuned check\nevil: true' }), end()]))
  expect(parse(text)).toBeNull()
})

test('nothing is recommended of what ran side by side, since it was not asked which sustains the most', () => {
  const summary = summarise(sideBySide([{}, {}, {}, {}], [{}, {}, {}, {}]))
  expect(summary.recommendation).toBeNull()
  expect(renderValues(summary)).toContain(
    '# Side by side it was asked what the same load takes, not which sustains the most.',
  )
})

test('leaves out what the record does not hold, and says what has to be given again', () => {
  const base = { image: { tag: '2.41.1' }, database: { user: 'n8n', password: { value: 'REDACTED' } } }
  const values = renderValues(
    summarise([run({ experiment: { base, variants: [{ name: 'tuned', values: {} }] } }), cell(0), step(0, 50), end()]),
  )
  expect(parse(values)).toMatchObject({ image: { tag: '2.41.1' }, database: { user: 'n8n', password: {} } })
  expect(values.replace(/\n# /g, ' ')).toContain(
    'Secrets are not in them: give database.password.value as it was given to the run.',
  )
})

test('recommends nothing where limits were not enforced, and says why', () => {
  const [first, ...rest] = quickRun()
  const records = [
    { ...first!, environment: { ...(first as never as Run).environment, limits: 'not enforced' } },
    ...rest,
  ]
  const text = renderValues(summarise(records as never))
  expect(text).toContain('The limits of CPU and memory were not enforced')
  expect(parse(text)).toBeNull()
})
