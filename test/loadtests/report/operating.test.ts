import type { Operating, Summary } from '../../../loadtests/src/analyse/summary.ts'
import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import { operatingSentences } from '../../../loadtests/src/report/operating.ts'
import { T0, end, reason, run } from '../fixtures/records.ts'
import { searchCell } from '../fixtures/search-cell.ts'

const mebibyte = 2 ** 20
const held = {
  seconds: 900,
  holds: true,
  reasons: [],
  p95: 120,
  backlogGrowth: -0.001,
  memory: [{ process: 'main-0', second: 510 * mebibyte, last: 512 * mebibyte }],
  database: { bytesOfDay: 864 * mebibyte, keptOfDay: 5_443_200, transactions: 14.2 },
}

/** One configuration that was searched, with what was found when its rate was held. */
function sentence(operating: Partial<Operating>): string {
  const records = [
    run({ experiment: { variants: [{ name: 'tuned', values: {} }] } }),
    ...searchCell(0, { variant: 'tuned', workflow: 'ping-webhook' }, { knee: 100, base: 9, memory: 700 }, 1, {
      now: T0,
    }),
    end(),
  ]
  const summary = summarise(records)
  const given = { rate: 63, share: 0.7, held: null, costOfMillion: null, ...operating }
  const results = summary.results.map((result): Summary['results'][number] => ({ ...result, operating: given }))
  return operatingSentences({ ...summary, results }).join('\n')
}

test('a rate that was not held is a rule of thumb', () => {
  expect(sentence({})).toBe(
    'Run it at 63/s, 70 % of what it carries. This is a rule of thumb: `n8n-tuned check --hold 15m` confirms it.',
  )
})

test('a rate that was held says what it was seen to do to answers, memory and database', () => {
  expect(sentence({ held, costOfMillion: 0.412 })).toBe(
    'Run it at 63/s, 70 % of what it carries. It held that for 15 min with p95 at 120 ms and a backlog that grew by '
      + '0 %. Memory stayed as it was: main-0 510 MiB to 512 MiB. A day at that rate adds 864 MiB to the database '
      + 'before n8n prunes, and 5,443,200 executions to the history. An execution takes 14.2 database transactions. '
      + 'A million executions cost 0.412 at that rate.',
  )
})

test('memory that still grows is a reason to hold it for longer', () => {
  const memory = [{ process: 'main-0', second: 500 * mebibyte, last: 540 * mebibyte }]
  expect(sentence({ held: { ...held, memory } })).toContain(
    'Memory still grew: main-0 500 MiB to 540 MiB. Hold it for longer before you rely on it.',
  )
})

test('memory that only PostgreSQL adds is that of its buffers', () => {
  const memory = [...held.memory, { process: 'postgresql-0', second: 164 * mebibyte, last: 194 * mebibyte }]
  expect(sentence({ held: { ...held, memory } })).toContain(
    'Memory stayed as it was: main-0 510 MiB to 512 MiB. '
      + 'postgresql-0 164 MiB to 194 MiB: PostgreSQL fills its shared buffers.',
  )
})

test('where no share of the capacity lasts, less of it is to be asked for', () => {
  const broke = { ...held, holds: false, reasons: [reason('latency')] }
  expect(sentence({ rate: 35.4, share: 0.394, held: broke })).toBe(
    'Run it at less than 35.4/s: 39.4 % of what it carries did not hold for minutes. '
      + 'p95 was 612 ms, the objective is 500 ms.',
  )
})
