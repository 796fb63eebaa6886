import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { askedFor } from '../../../loadtests/src/report/another-objective.ts'
import { writeReport, writeWhole } from '../../../loadtests/src/report/write.ts'
import { worded } from '../../../loadtests/src/report/worded.ts'
import { refusalOf } from '../../support/refusal.ts'
import { quickRun } from '../fixtures/runs.ts'

const dir = mkdtempSync(join(tmpdir(), 'write-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('writes every file whole, over those of an earlier time, and nothing else', async () => {
  const records = quickRun()
  const summary = summarise(records)
  await writeReport(dir, summary, records.slice(0, 5))
  const paths = await writeReport(dir, summary, records)
  const names = ['report.html', 'report.md', 'samples.csv', 'summary.json', 'values.yaml']
  expect(readdirSync(dir).sort()).toEqual(names)
  expect(paths.sort()).toEqual(names.map((name) => join(dir, name)))
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toEqual(worded(summary))
  expect(readFileSync(join(dir, 'samples.csv'), 'utf8').split('\n').length).toBeGreaterThan(100)
})

test('what is asked of a run later has values of its own, and leaves those of the run as they were', async () => {
  const own = mkdtempSync(join(dir, 'kept-'))
  const records = quickRun()
  await writeReport(own, summarise(records), records)
  const before = readFileSync(join(own, 'values.yaml'), 'utf8')
  await writeReport(own, summarise(records, { need: 10 }), records, { values: 'values-rate-10.yaml', keep: true })
  await writeReport(own, summarise(askedFor({ p95: 1 }, records)), records, { keep: true })
  expect(readFileSync(join(own, 'values.yaml'), 'utf8')).toBe(before)
  expect(readFileSync(join(own, 'values-rate-10.yaml'), 'utf8')).toContain('--values')
})

test('a pipe in the place of what is written stays one', async () => {
  const pipe = join(dir, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect((await refusalOf(() => writeWhole(pipe, 'a'))).message).toMatch(/a pipe or a device/)
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

test('root does not put a file in the place of what is printed to', async () => {
  expect((await refusalOf(() => writeWhole('/dev/stdout', 'a'))).code).toBe('unwritable-file')
})
