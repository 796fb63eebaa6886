import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Comparison } from '../../../loadtests/src/model/summary.ts'
import { cell, constant, end, run, step } from '../fixtures/records.ts'
import { rounds, sideBySide } from '../fixtures/rounds.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

/** Cell 0 is the baseline, n8n-defaults; cell 1 is tuned. */
function compared(...records: RunRecord[]): Comparison {
  return summarise([run(), cell(0, { variant: 'n8n-defaults' }), cell(1, { variant: 'tuned' }), ...records, end()])
    .comparison[0]
}

const repeated = (was: number[], is: number[]) =>
  compared(
    ...[was, is].flatMap((rates, index) => rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
  )

const broken = (index: number, rate: number) => step(index, rate, { because: ['latency'] })

test('the ratio is of what both sustain', () => {
  const { capacity, finding, by } = compared(step(0, 20), broken(0, 21), step(1, 100), broken(1, 105))
  expect(capacity!.ratio).toBeCloseTo(5, 1)
  expect({ finding, by }).toEqual({ finding: 'better', by: 'capacity' })
})

test('where either sustains nothing there is neither a ratio nor a finding', () => {
  const one = compared(step(0, 10, { because: ['oom-killed'] }), step(1, 96))
  expect(one).not.toHaveProperty('capacity')
  expect(one).not.toHaveProperty('finding')
})

test.each([
  ['of the one', [step(0, 1), step(1, 5), broken(1, 6)]],
  ['of the other', [step(0, 1), broken(0, 1.2), step(1, 5)]],
])('an unknown end %s is no certainty: there is no ratio, and the finding is unsure', (_, records) => {
  const one = compared(...records)
  expect(one).not.toHaveProperty('capacity')
  expect(one.finding).toBe('unsure')
})

test.each([
  ['that lie close together, which is better', [97, 100, 103], [125, 130, 135], 'better'],
  ['that lie close together, which is worse', [125, 130, 135], [97, 100, 103], 'worse'],
  ['that lie further apart than both do, nothing sure', [80, 100, 120], [90, 130, 150], 'unsure'],
  ['that agree, no difference', [99, 100, 101], [99, 100, 101], 'same'],
])('it finds of repeats %s', (_, was, is, finding) => {
  expect(repeated(was, is).finding).toBe(finding)
})

test('the ratio of repeats has its range', () => {
  const { capacity } = repeated([19, 20, 21], [98, 100, 102])
  expect(capacity!.low).toBeLessThan(5)
  expect(capacity!.high).toBeGreaterThan(5)
})

test('compares within a workflow and a cell of the matrix only', () => {
  const cells = ['ping-webhook', 'wait-5s-webhook'].flatMap((workflow, w) =>
    [1, 2].flatMap((replicas, r) =>
      ['n8n-defaults', 'tuned'].flatMap((variant, v) => {
        const index = w * 4 + r * 2 + v
        return [
          cell(index, { variant, workflow, matrix: { 'main.replicas': replicas } }),
          step(index, (v + 1) * 10 * (index + 1)),
          broken(index, (v + 1) * 10.5 * (index + 1)),
        ]
      }),
    ),
  )
  const { comparison } = summarise([run(), ...cells, end()])
  expect(
    comparison.map((each) => [each.workflow, each.cell['main.replicas'], Number(each.capacity!.ratio.toFixed(2))]),
  ).toEqual([
    ['ping-webhook', 1, 4],
    ['ping-webhook', 2, 2.67],
    ['wait-5s-webhook', 1, 2.4],
    ['wait-5s-webhook', 2, 2.29],
  ])
})

test('of two side by side it is what the same load takes of each', () => {
  const [{ takes }] = summarise(sideBySide([{ cores: 0.5 }, { cores: 0.6 }], [{ cores: 0.4 }, { cores: 0.49 }]))
    .comparison as [Comparison]
  expect(takes).toMatchObject([
    { measure: 'cpu', share: expect.closeTo(-0.19, 2), finding: 'less', sides: { rounds: 2, of: 2 } },
    { measure: 'p95' },
    { measure: 'memory', share: 0, finding: 'same' },
  ])
})

test('of several pairs each is held against its own', () => {
  const variants = ['a', 'b'].flatMap((setting) => [
    { name: `with-${setting}`, values: {} },
    { name: `without-${setting}`, values: {}, without: setting, beside: `with-${setting}` },
  ])
  const told = variants.flatMap(({ name }, index) => [cell(index, { variant: name }), ...rounds(index, [{}, {}])])
  expect(summarise([run({ experiment: { variants, load: constant } }), ...told, end()]).comparison).toMatchObject([
    { variant: 'without-a', baseline: 'with-a' },
    { variant: 'without-b', baseline: 'with-b' },
  ])
})
