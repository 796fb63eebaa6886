import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { operatingSentences } from '../../../loadtests/src/report/operating.ts'
import { T0, end, reason, run } from '../fixtures/records.ts'
import { searchCell } from '../fixtures/search-cell.ts'
import type { Operating } from '../../../loadtests/src/model/operating.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'

const mebibyte = 2 ** 20
const held = {
  seconds: 900,
  holds: true,
  reasons: [],
  p95: 120,
  backlogGrowth: -0.001,
  memory: [{ process: 'main-0', second: 510 * mebibyte, last: 512 * mebibyte, slope: null, heap: null, files: null }],
  keys: null,
  database: { bytesOfDay: 864 * mebibyte, keptOfDay: 5_443_200, transactions: 14.2 },
}

/** One configuration that was searched, with what was found when its rate was held. */
function sentence(operating: Partial<Operating>, over: Partial<Result> = {}): string {
  const records = [
    run({ experiment: { variants: [{ name: 'tuned', values: {} }] } }),
    ...searchCell(0, { variant: 'tuned', workflow: 'ping-webhook' }, { knee: 100, base: 9, memory: 700 }, 1, {
      now: T0,
    }),
    end(),
  ]
  const summary = summarise(records)
  const given = { rate: 63, share: 0.7, held: null, costOfMillion: null, ...operating }
  const results = summary.results.map((result): Summary['results'][number] => ({
    ...result,
    operating: given,
    ...over,
  }))
  return operatingSentences({ ...summary, results }).join('\n')
}

test('a rate that was not held says how to hold it', () => {
  expect(sentence({})).toBe(
    'Run it at up to 63/s, 70 % of its safe rate. `./n8n-tuned check --hold 15m` shows whether it lasts.',
  )
})

test('a rate that was held says what it was seen to do to answers, memory and database', () => {
  expect(sentence({ held, costOfMillion: 0.412 })).toBe(
    'Run it at up to 63/s, 70 % of its safe rate. '
      + 'It held that for 15 min with p95 at 120 ms and a backlog that grew by '
      + '0 %. Memory stayed as it was: main-0 510 MiB to 512 MiB. A day at that rate adds 864 MiB to the database '
      + 'before n8n prunes, and 5,443,200 executions to the history. An execution takes 14.2 database transactions. '
      + 'A million executions cost 0.412 at that rate.',
  )
})

test('one rate that lasted says what was seen', () => {
  const soak = { rate: 20, held: { ...held, seconds: 1800, database: null } }
  expect(sentence({}, { soak })).toBe(
    'It sustained 20/s for 30 min with p95 at 120 ms and a backlog that grew by 0 %. Memory stayed as it was: '
      + 'main-0 510 MiB to 512 MiB.',
  )
})

test('memory that still grows is a reason to hold it for longer', () => {
  const memory = [
    { process: 'main-0', second: 500 * mebibyte, last: 540 * mebibyte, slope: null, heap: null, files: null },
  ]
  expect(sentence({ held: { ...held, memory } })).toContain(
    'Memory still grew: main-0 500 MiB to 540 MiB. Hold it for longer before you rely on it.',
  )
})

test('with a slope, memory grows where the slope is surely above 1 % an hour', () => {
  const process = { process: 'main-0', second: 500 * mebibyte, last: 512 * mebibyte, heap: null, files: null }
  const said = (perHour: number, within: number) =>
    sentence({ held: { ...held, memory: [{ ...process, slope: { perHour, within } }] } })
  expect(said(0.03, 0.01)).toContain('Memory still grew: main-0 500 MiB to 512 MiB (3 ± 1 % an hour).')
  expect(said(0, 0)).toContain('Memory stayed as it was: main-0 500 MiB to 512 MiB.')
  expect(said(0.03, 0.025)).toContain('Memory stayed as it was: main-0 500 MiB to 512 MiB (3 ± 3 % an hour).')
})

test('memory that grew by much tells how much of it is in the heap', () => {
  const heap = { second: 200 * mebibyte, last: 210 * mebibyte }
  const memory = [{ process: 'main-0', second: 500 * mebibyte, last: 540 * mebibyte, slope: null, heap, files: null }]
  expect(sentence({ held: { ...held, memory } })).toContain('main-0 500 MiB to 540 MiB (10 MiB of it in the heap).')
})

describe('where the lab could collect the garbage', () => {
  const grew = {
    process: 'worker-1',
    second: 400 * mebibyte,
    last: 440 * mebibyte,
    slope: { perHour: 0.2, within: 0.05 },
    heap: { second: 200 * mebibyte, last: 240 * mebibyte },
    outside: { perHour: 0.001, within: 0.004 },
    keptHeap: { before: 150 * mebibyte, after: 151 * mebibyte },
    files: null,
  }
  const said = (over: object) => sentence({ held: { ...held, memory: [...held.memory, { ...grew, ...over }] } })

  test('growth that a collection takes away is garbage', () => {
    expect(said({})).toContain(
      'Memory stayed as it was: main-0 510 MiB to 512 MiB. worker-1 400 MiB to 440 MiB (20 ± 5 % an hour, 40 MiB of '
        + 'it in the heap, the heap without garbage 150 MiB before the load, 151 MiB after it): garbage, which V8 '
        + 'collects before its heap is full.',
    )
  })

  test('a heap that keeps more tells how much of each request', () => {
    expect(said({ keptHeap: { before: 150 * mebibyte, after: 190 * mebibyte } })).toContain(
      'Hold it for longer before you rely on it. The heap of worker-1 keeps 40 MiB more than before, '
        + '740 bytes a request.',
    )
  })

  test.each([
    ['in a heap that keeps more', { keptHeap: { before: 150 * mebibyte, after: 190 * mebibyte } }],
    ['outside the heap', { outside: { perHour: 0.2, within: 0.1 } }],
  ])('growth that stays is growth: %s', (_, over) => {
    expect(said(over)).toContain('Memory still grew: worker-1 400 MiB to 440 MiB (20 ± 5 % an hour')
  })
})

test('open files that still grow are named; else those of each process are told', () => {
  const worker = (last: number) => ({ ...held.memory[0]!, process: 'worker-0', files: { second: 61, last } })
  expect(sentence({ held: { ...held, memory: [worker(63)] } })).toContain(
    'Open files and connections did not grow: worker-0 61 to 63.',
  )
  expect(sentence({ held: { ...held, memory: [worker(63), worker(120)] } })).toContain(
    'Open files and connections still grew: worker-0 61 to 120.',
  )
})

test('what Redis keeps is told', () => {
  expect(sentence({ held: { ...held, keys: { second: 12, last: 1_900 } } })).toContain('Redis had 12 keys, then 1,900.')
})

test('memory that only PostgreSQL adds is that of its buffers', () => {
  const memory = [
    ...held.memory,
    { ...held.memory[0]!, process: 'postgresql-0', second: 164 * mebibyte, last: 194 * mebibyte },
  ]
  expect(sentence({ held: { ...held, memory } })).toContain(
    'Memory stayed as it was: main-0 510 MiB to 512 MiB. '
      + 'postgresql-0 164 MiB to 194 MiB: PostgreSQL fills its shared buffers.',
  )
})

test('where no share of the capacity lasts, less is to be asked for, and memory is told all the same', () => {
  const broke = { ...held, holds: false, reasons: [reason('latency')] }
  expect(sentence({ rate: 35.4, share: 0.394, held: broke })).toBe(
    'Run it at less than 35.4/s: 39.4 % of its safe rate did not hold for minutes. '
      + 'p95 was 612 ms, the objective is 500 ms. Memory stayed as it was: main-0 510 MiB to 512 MiB.',
  )
})
