import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { RunRecord, upgraded } from '../../../loadtests/src/model/record.ts'
import { Summary } from '../../../loadtests/src/model/summary.ts'
import { writeReport } from '../../../loadtests/src/report/write.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import * as runs from '../fixtures/runs.ts'
import { readRecords } from '../../../loadtests/src/run/record-file.ts'

const folder = temporaryFolder()

/** Each was written by the lab of its time: 1 before executions had times, 2 before outside calls, 3 before p99.9. */
const earlier = globSync(join(import.meta.dirname, '../fixtures/earlier/*.ndjson'))

test.each(earlier.map((file) => [basename(file), file]))('the record %s is read and reported', async (name, file) => {
  const dir = join(folder, name)
  await write(folder, `${name}/run.ndjson`, readFileSync(file, 'utf8'))
  const records = await readRecords(dir)
  for (const record of records) expect(RunRecord.safeParse(record).error?.issues ?? []).toEqual([])
  const summary = summarise(records)
  expect(Summary.safeParse(JSON.parse(JSON.stringify(summary))).error?.issues ?? []).toEqual([])
  await writeReport(dir, summary, records)
  expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain('## Results')
})

test('a warning of earlier versions is a sentence, and stays one', () => {
  expect(upgraded({ type: 'warning', at: 1, text: 'The machine was busy.' } as { type: string })).toEqual({
    type: 'warning',
    at: 1,
    warning: 'The machine was busy.',
  })
})

test.each(Object.entries(runs))('every line of %s is one of the kinds', (_, run) => {
  const lines: RunRecord[] = run()
  for (const line of lines) expect(RunRecord.safeParse(line).error?.issues ?? []).toEqual([])
})
