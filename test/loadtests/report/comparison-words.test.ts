import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { comparisonInWords, worthInWords } from '../../../loadtests/src/report/comparison-words.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { cell, closed, constant, end, run, step, T0 } from '../fixtures/records.ts'
import { rounds, sideBySide, type Took } from '../fixtures/rounds.ts'
import { searchCell } from '../fixtures/search-cell.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const inWords = (summary: Summary) => comparisonInWords(summary.comparison[0]!, summary)

/** Cell 0 is the baseline, n8n-defaults; cell 1 is tuned. */
const compared = (records: RunRecord[], load?: Load): string =>
  inWords(
    summarise([
      run({ experiment: load ? { load } : {} }),
      cell(0, { variant: 'n8n-defaults' }),
      cell(1, { variant: 'tuned' }),
      ...records,
      end(),
    ]),
  )

test('where no rate was found that is too much, each sustains at least so much, and there is no ratio', () => {
  const text = compared([step(0, 20), step(0, 21, { because: ['latency'] }), step(1, 100)])
  expect(text).toMatch(
    /^Whether tuned is better than n8n-defaults is not known, since no rate was found that is too much\. tuned /,
  )
  expect(text).toMatch(/sustains at least [\d.]+\/s; n8n-defaults sustains about 20\/s \([\d.]+ to [\d.]+\)\.$/)
})

describe('of one search each', () => {
  /** Where each breaks. */
  function searched(was: number, is: number): string {
    const clock = { now: T0 + 5000 }
    const cells = [was, is].flatMap((knee, index) => {
      const of = { variant: ['n8n-defaults', 'tuned'][index]!, workflow: 'ping-webhook' }
      return searchCell(index, of, { knee, base: 10, memory: 700 }, 1, clock)
    })
    return inWords(summarise([run(), ...cells, end()]))
  }

  test('a ratio has the range that both intervals leave it', () => {
    const text = searched(20, 200)
    const [ratio, low, high] = /better than n8n-defaults: ([\d.]+) times \(([\d.]+) to ([\d.]+)\) the capacity/
      .exec(text)!
      .slice(1)
      .map(Number) as [number, number, number]
    expect(low).toBeGreaterThan(1)
    expect(low).toBeLessThan(ratio)
    expect(high).toBeGreaterThan(ratio)
  })

  test('which is better is not known where that range may hold no difference', () => {
    expect(searched(20, 28)).toMatch(
      /^Whether tuned is better than n8n-defaults is not known: [\d.]+ times \(0\.\d+ to /,
    )
  })
})

test('one run each without a range does not tell which is better', () => {
  const records = [step(0, null, { throughput: 100 }), step(1, null, { throughput: 125 })]
  expect(compared(records, closed)).toBe(
    'Whether tuned is better than n8n-defaults is not known, since one run each does not tell it. '
      + 'tuned answers 125/s; n8n-defaults answers 100/s.',
  )
})

describe('of several repeats', () => {
  const repeated = (was: number[], is: number[]) =>
    compared(
      [was, is].flatMap((rates, index) => rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
    )

  test('a ratio has its range', () => {
    expect(repeated([19, 20, 21], [98, 100, 102])).toMatch(
      /^tuned is better than n8n-defaults: 5 times \(4\.\d+ to 5\.\d+\) the capacity\. /,
    )
  })

  test('a smaller difference has it too', () => {
    expect(repeated([97, 100, 103], [125, 130, 135])).toMatch(
      /^tuned is better than n8n-defaults: 1\.3 times \(1\.2\d* to 1\.\d+\) the capacity\. /,
    )
  })

  test('is not known within what they lie apart', () => {
    expect(repeated([80, 100, 120], [90, 130, 150])).toMatch(
      /^Whether tuned is better than n8n-defaults is not known: /,
    )
  })

  test('is none beyond 5 % where that is as good as sure', () => {
    expect(repeated([99, 100, 101], [99, 100, 101])).toMatch(
      /^No difference beyond 5 % between tuned and n8n-defaults: /,
    )
  })
})

test('says what happened to a first variant without a capacity', () => {
  expect(compared([step(0, 10, { because: ['oom-killed', 'errors'] }), step(1, 96)])).toMatch(
    /^tuned sustains at least [\d.]+\/s; n8n-defaults was killed for memory at 10\/s\.$/,
  )
})

test('says what happened to a variant without a capacity', () => {
  expect(compared([step(0, 10), step(1, 5, { because: ['crashed'] })])).toMatch(
    /^tuned crashed at 5\/s; n8n-defaults sustains at least [\d.]+\/s\.$/,
  )
})

test('a rate of answers that missed the objective is never given alone', () => {
  const records = [step(0, null, { throughput: 2, because: ['latency'] }), step(1, null, { throughput: 80 })]
  expect(compared(records, closed)).toContain('n8n-defaults answers 2/s but answered too late.')
})

test('says of two side by side what the same load takes of each, which is what was asked', () => {
  const summary = summarise(
    sideBySide(
      [{ cores: 0.5 }, { cores: 0.6, p95: 90 }],
      [
        { cores: 0.4, p95: 88 },
        { cores: 0.49, p95: 85 },
      ],
    ),
  )
  expect(inWords(summary)).toMatch(
    new RegExp(
      [
        String.raw`^after beside before: 19 % less CPU a request,`,
        String.raw`± 11 % \(8\.9 ms, not 11 ms\);`,
        String.raw`unsure: 1\.9 % more p95, ± \d+ % \(86\.5 ms, not 85 ms\);`,
        String.raw`no difference beyond 5 % in memory \(500 MiB, not 500 MiB\)\.$`,
      ].join(' '),
    ),
  )
})

describe('what a setting is worth', () => {
  /** With everything, and without one setting. */
  function worth(all: RunRecord[], without: RunRecord[], load?: Load): string[] {
    const variants = [
      { name: 'tuned', values: {} },
      { name: 'without-pool', values: {}, without: 'pool' },
    ]
    const cells = [cell(0, { variant: 'tuned' }), ...all, cell(1, { variant: 'without-pool' }), ...without]
    const experiment = { variants, repeat: 3, ...(load && { load }) }
    const summary = summarise([run({ experiment }), ...cells, end()])
    return summary.worth.map((one) => worthInWords(one, summary))
  }

  const repeats = (index: number, rates: number[]) =>
    rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))
  const sustained = (all: number[], without: number[]) => worth(repeats(0, all), repeats(1, without))[0]
  const taken = (all: Took[], without: Took[]) => worth(rounds(0, all), rounds(1, without), constant)

  test('is what n8n sustains more with it than without it', () => {
    expect(sustained([100, 100, 100], [25, 25, 25])).toBe('+300 %, ± 13 % (100/s with it, 25/s without).')
    expect(sustained([95, 100, 105], [94, 98, 99])).toMatch(
      /^unsure: \+3 %, ± \d+ % \(100\/s with it, 98\/s without\)\.$/,
    )
    expect(sustained([99, 100, 101], [99, 100, 101])).toBe('no difference beyond 5 % (100/s with it, 100/s without).')
    expect(sustained([80], [100])).toBe('about 20 % less, one run (80/s with it, 100/s without).')
  })

  test('is what becomes of n8n without it', () => {
    expect(worth(repeats(0, [100]), [step(1, 10, { because: ['oom-killed'] })])).toEqual([
      'sustains 100/s with it, and without it was killed for memory at 10/s.',
    ])
  })

  test('at a given load is what a request takes less of CPU, p95 and memory', () => {
    expect(taken([{ cores: 0.5, p95: 20, memory: 400 }], [{ cores: 0.6, p95: 80, memory: 500 }])).toEqual([
      'about 20 % less CPU a request, one run (10 ms with it, 12 ms without).',
      'about 80 % less of p95, one run (20 ms with it, 80 ms without).',
      'about 20 % less memory, one run (400 MiB with it, 500 MiB without).',
    ])
  })

  test('says how many rounds both sustained, where those are not all', () => {
    const [cpu] = taken([{}, {}, {}], [{ cores: 0.6 }, { cores: 0.9, because: ['errors'] }, { cores: 0.6 }])
    expect(cpu).toBe('−17 % CPU a request, ± 0 % (10 ms with it, 12 ms without; both sustained it in 2 of 3 rounds).')
  })
})
