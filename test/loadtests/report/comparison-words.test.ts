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

test(
  'says how many times the first variant it sustains, with both figures, and of one run each no finer than '
    + 'that tells',
  () => {
    expect(compared([step(0, 20), step(0, 21, { because: ['latency'] }), step(1, 100)])).toMatch(
      /^tuned sustains 100\/s, about 5 times the 20\/s of n8n-defaults \(/,
    )
  },
)

test('says a smaller difference in per cent', () => {
  expect(compared([step(0, 20), step(1, 30)])).toBe(
    'tuned sustains 30/s, about 50 % more than the 20/s of n8n-defaults (one run each).',
  )
  expect(compared([step(0, 40), step(1, 18)])).toBe(
    'tuned sustains 18/s, about 60 % less than the 40/s of n8n-defaults (one run each).',
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
    return inWords(summarise([run(), ...cells, end()]))
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
  expect(compared([step(0, 100), step(1, 125)])).toBe(
    'tuned sustains 125/s, no clear difference from the 100/s of n8n-defaults (one run each).',
  )
})

describe('of several repeats', () => {
  const repeated = (was: number[], is: number[]) =>
    compared(
      [was, is].flatMap((rates, index) => rates.map((rate, repeat) => step(index, rate, { repeat: repeat + 1 }))),
    )

  test('a ratio has its ±, and where it lies is told', () => {
    expect(repeated([19, 20, 21], [98, 100, 102])).toMatch(
      /^tuned sustains 100\/s, 5\.0 ± 0\.\d times the 20\/s of n8n-defaults\.$/,
    )
  })

  test('a smaller difference has it too', () => {
    expect(repeated([97, 100, 103], [125, 130, 135])).toMatch(
      /130\/s, \d\d ± \d+ % more than the 100\/s of n8n-defaults\.$/,
    )
  })

  test('is unsure within what they lie apart', () => {
    expect(repeated([80, 100, 120], [90, 130, 150])).toMatch(
      /, \d+ ± \d+ % more than the 100\/s of n8n-defaults: unsure\.$/,
    )
  })

  test('is none beyond 5 % where that is as good as sure', () => {
    expect(repeated([99, 100, 101], [99, 100, 101])).toBe(
      'tuned sustains 100/s, no difference beyond 5 % from the 100/s of n8n-defaults.',
    )
  })
})

test('says what happened to a first variant without a capacity', () => {
  expect(compared([step(0, 10, { because: ['oom-killed', 'errors'] }), step(1, 96)])).toBe(
    'n8n-defaults was killed for memory at 10/s; tuned sustains 96/s.',
  )
})

test('says what happened to a variant without a capacity', () => {
  expect(compared([step(0, 10), step(1, 5, { because: ['crashed'] })])).toBe(
    'tuned crashed at 5/s; n8n-defaults sustains 10/s.',
  )
})

test('mentions that the first variant died beyond its rate', () => {
  expect(compared([step(0, 2), step(0, 10, { because: ['oom-killed'] }), step(1, 96)])).toBe(
    'tuned sustains 96/s, about 50 times the 2/s of n8n-defaults (at least 9.28 times, by one run '
      + 'each), which was killed for memory at 10/s.',
  )
})

test('a rate of answers that missed the objective is never given alone', () => {
  const records = [step(0, null, { throughput: 2, because: ['latency'] }), step(1, null, { throughput: 80 })]
  expect(compared(records, closed)).toBe(
    'tuned answers 80/s, about 40 times the 2/s of n8n-defaults (one run each), which answered too late.',
  )
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
