import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Comparison } from '../../../loadtests/src/model/summary.ts'
import { cell, closed, constant, end, run, step, T0 } from '../fixtures/records.ts'
import { rounds, sideBySide } from '../fixtures/rounds.ts'
import { searchCell } from '../fixtures/search-cell.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

/** Cell 0 is the baseline, n8n-defaults; cell 1 is tuned. */
function compared(records: RunRecord[], load?: Load): Comparison {
  return summarise([
    run({ experiment: load ? { load } : {} }),
    cell(0, { variant: 'n8n-defaults' }),
    cell(1, { variant: 'tuned' }),
    ...records,
    end(),
  ]).comparison[0]
}

test(
  'says how many times the first variant it sustains, with both figures, and of one run each no finer than '
    + 'that tells',
  () => {
    const { ratio, text } = compared([step(0, 20), step(0, 21, { because: ['latency'] }), step(1, 100)])
    expect(ratio).toBe(5)
    expect(text).toMatch(/^ping-webhook: tuned sustains 100\/s, about 5 times the 20\/s of n8n-defaults \(/)
  },
)

test('says a smaller difference in per cent', () => {
  expect(compared([step(0, 20), step(1, 30)]).text).toBe(
    'ping-webhook: tuned sustains 30/s, about 50 % more than the 20/s of n8n-defaults (one run each).',
  )
  expect(compared([step(0, 40), step(1, 18)]).text).toBe(
    'ping-webhook: tuned sustains 18/s, about 60 % less than the 40/s of n8n-defaults (one run each).',
  )
})

describe('of one search each', () => {
  /** Where each breaks. */
  function searched(was: number, is: number): string {
    const clock = { now: T0 + 5000 }
    const cells = [was, is].flatMap((knee, index) => {
      const of = { variant: ['n8n-defaults', 'tuned'][index]!, workflow: 'ping-webhook' }
      return searchCell(index, of, { knee, base: 10, memory: 700 }, 1, clock)
    })
    return summarise([run(), ...cells, end()]).comparison[0]!.text
  }

  test('a ratio has the range that both intervals leave it', () => {
    const text = searched(20, 200)
    const [low, high] = /about 10 times .* \(([\d.]+) to ([\d.]+) times, by one run each\)/.exec(text)!.slice(1)
    expect(Number(low)).toBeGreaterThan(1)
    expect(Number(low)).toBeLessThan(10)
    expect(Number(high)).toBeGreaterThan(10)
  })

  test('there is no clear difference where that range may hold none', () => {
    expect(searched(20, 28)).toContain('no clear difference from the ')
  })
})

test('claims nothing that repeats of the same may differ by, of one run each', () => {
  expect(compared([step(0, 100), step(1, 125)]).text).toBe(
    'ping-webhook: tuned sustains 125/s, no clear difference from the 100/s of n8n-defaults (one run each).',
  )
})

describe('of several repeats', () => {
  const repeated = (was: number[], is: number[]) =>
    compared(
      [was, is].flatMap((rates, index) => rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
    )

  test('a ratio has its ±, and where it lies is told', () => {
    const { text, ratioWithin } = repeated([19, 20, 21], [98, 100, 102])
    expect(text).toMatch(/^ping-webhook: tuned sustains 100\/s, 5\.0 ± 0\.\d times the 20\/s of n8n-defaults\.$/)
    expect(ratioWithin!.low).toBeLessThan(5)
    expect(ratioWithin!.high).toBeGreaterThan(5)
  })

  test('a smaller difference has it too', () => {
    expect(repeated([97, 100, 103], [125, 130, 135]).text).toMatch(
      /130\/s, \d\d ± \d+ % more than the 100\/s of n8n-defaults\.$/,
    )
  })

  test('is unsure within what they lie apart', () => {
    expect(repeated([80, 100, 120], [90, 130, 150]).text).toMatch(
      /, \d+ ± \d+ % more than the 100\/s of n8n-defaults: unsure\.$/,
    )
  })

  test('is none beyond 5 % where that is as good as sure', () => {
    expect(repeated([99, 100, 101], [99, 100, 101]).text).toBe(
      'ping-webhook: tuned sustains 100/s, no difference beyond 5 % from the 100/s of n8n-defaults.',
    )
  })
})

test('says what happened to a first variant without a capacity', () => {
  const { ratio, text } = compared([step(0, 10, { because: ['oom-killed', 'errors'] }), step(1, 96)])
  expect(ratio).toBeNull()
  expect(text).toBe('ping-webhook: n8n-defaults was killed for memory at 10/s; tuned sustains 96/s.')
})

test('says what happened to a variant without a capacity', () => {
  expect(compared([step(0, 10), step(1, 5, { because: ['crashed'] })]).text).toBe(
    'ping-webhook: tuned crashed at 5/s; n8n-defaults sustains 10/s.',
  )
})

test('mentions that the first variant died beyond its rate', () => {
  expect(compared([step(0, 2), step(0, 10, { because: ['oom-killed'] }), step(1, 96)]).text).toBe(
    'ping-webhook: tuned sustains 96/s, about 50 times the 2/s of n8n-defaults (at least 9.28 times, by one run '
      + 'each), which was killed for memory at 10/s.',
  )
})

test('a rate of answers that missed the objective is never given alone', () => {
  const { text } = compared(
    [step(0, null, { throughput: 2, because: ['latency'] }), step(1, null, { throughput: 80 })],
    closed,
  )
  expect(text).toBe(
    'ping-webhook: tuned answers 80/s, about 40 times the 2/s of n8n-defaults (one run each), which answered too late.',
  )
})

test('compares within a workflow and a cell of the matrix only', () => {
  const cells = ['ping-webhook', 'wait-5s-webhook'].flatMap((workflow, w) =>
    [1, 2].flatMap((replicas, r) =>
      ['n8n-defaults', 'tuned'].flatMap((variant, v) => {
        const index = w * 4 + r * 2 + v
        return [
          cell(index, { variant, workflow, matrix: { 'main.replicas': replicas } }),
          step(index, (v + 1) * 10 * (index + 1)),
        ]
      }),
    ),
  )
  const { comparison } = summarise([run(), ...cells, end()])
  expect(comparison.map((each) => [each.workflow, each.cell['main.replicas'], each.ratio])).toEqual([
    ['ping-webhook', 1, 4],
    ['ping-webhook', 2, 8 / 3],
    ['wait-5s-webhook', 1, 12 / 5],
    ['wait-5s-webhook', 2, 16 / 7],
  ])
})

test('says of two side by side what the same load takes of each, which is what was asked', () => {
  const [comparison] = summarise(
    sideBySide(
      [{ cores: 0.5 }, { cores: 0.6, p95: 90 }],
      [
        { cores: 0.4, p95: 88 },
        { cores: 0.49, p95: 85 },
      ],
    ),
  ).comparison
  expect(comparison!.text).toMatch(
    new RegExp(
      [
        String.raw`^ping-webhook: after beside before: 19 % less CPU a request,`,
        String.raw`± 11 % \(8\.9 ms, not 11 ms\);`,
        String.raw`unsure: 1\.9 % more p95, ± \d+ % \(86\.5 ms, not 85 ms\);`,
        String.raw`no difference beyond 5 % in memory \(500 MiB, not 500 MiB\)\.$`,
      ].join(' '),
    ),
  )
  expect(comparison!.takes).toMatchObject([
    { measure: 'cpu', share: expect.closeTo(-0.19, 2) },
    { measure: 'p95' },
    { measure: 'memory', share: 0 },
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
