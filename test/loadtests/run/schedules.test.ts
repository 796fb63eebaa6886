import type { KeptRun } from '../../../loadtests/src/n8n/scheduled.ts'
import { duesIn, outcomeOfSchedules } from '../../../loadtests/src/run/schedules.ts'

const noon = Date.UTC(2026, 0, 1, 12)
const minute = 60_000
const time = { startedAt: noon - 10_000, endedAt: noon + 70_000 }
const run = (workflow: string, due: number, late: number, more: Partial<KeptRun> = {}): KeptRun => ({
  ...{ workflow, scheduled: true, due, created: due + 200, ended: due + late, failed: false },
  ...more,
})
const call = (created: number, took: number): KeptRun =>
  run('called', 0, 0, { scheduled: false, due: null, created, ended: created + took })

const seen = (...all: KeptRun[]) => outcomeOfSchedules(all, 2, duesIn(time.startedAt, time.endedAt), time)
const both = [run('a', noon, 1000), run('b', noon, 3000), run('a', noon + minute, 500), run('b', noon + minute, 700)]

test('the full minutes of a load are those at which schedules are due in it', () => {
  expect(duesIn(noon - 1, noon + 60_001)).toEqual([noon, noon + minute])
  expect(duesIn(noon + 1, noon + 59_000)).toEqual([])
})

test('runs are late from the second at which they were due until they ended', () => {
  expect(seen(...both)).toMatchObject({ due: 2, ran: 4, missed: 0, double: 0, late: { p50: 850, max: 3000 } })
})

test('a run without an execution is missed', () => {
  expect(seen(...both.slice(1))).toMatchObject({ ran: 3, missed: 1 })
})

test('a second execution of the same workflow and second is a double run', () => {
  expect(seen(...both, run('a', noon, 9000))).toMatchObject({ ran: 4, missed: 0, double: 1 })
})

test('a run that comes a minute late is that of the second that n8n wrote down', () => {
  const late = run('b', noon, 65_000, { created: noon + 64_000 })
  expect(seen(both[0]!, late, both[2]!, both[3]!)).toMatchObject({ missed: 0, double: 0, late: { max: 65_000 } })
})

test('where n8n writes down no second, it is the full minute before', () => {
  expect(seen(...both.map((one) => ({ ...one, due: null })))).toMatchObject({ ran: 4, missed: 0, late: { max: 3000 } })
})

test('what callers began while scheduled runs were under way is told from the rest', () => {
  const calls = [call(noon + 300, 900), call(noon + 20_000, 40), call(noon + 21_000, 40)]
  expect(seen(...both, ...calls).callers).toEqual({ beside: 900, otherwise: 40 })
})

test('runs that have not ended, and those that failed, are counted', () => {
  expect(seen({ ...both[0]!, ended: null }, { ...both[1]!, failed: true }, ...both.slice(2))).toMatchObject({
    ...{ open: 1, failed: 1, ran: 4 },
  })
})
