import { renderCsv as csvLines } from '../../../loadtests/src/report/csv.ts'
import { seriesOf } from '../../../loadtests/src/report/series.ts'
import { T0, cell, run, sample } from '../fixtures/records.ts'

const renderCsv = (series: Parameters<typeof csvLines>[0]) => [...csvLines(series)].join('')

test('a line a sample, with what it was a sample of', () => {
  const csv = renderCsv(
    seriesOf([run(), cell(0, { matrix: { 'main.replicas': 2, 'image.tag': '2.41.1' } }), sample(0, T0)]),
  )
  expect(csv.split('\n')).toEqual([
    'time,variant,workflow,cell,process,cpu_cores,rss_bytes,heap_used_bytes,heap_total_bytes,external_bytes,'
      + 'event_loop_lag_ms,pids,executions_started,executions_succeeded,executions_failed',
    '2026-11-20T09:00:00.000Z,tuned,ping-webhook,main.replicas=2 '
      + 'image.tag=2.41.1,main-0,0.5,524288000,209715200,314572800,20971520,12,1,100,99,0',
    '',
  ])
})

test('an absent figure stays empty, it is not 0', () => {
  const csv = renderCsv(seriesOf([run(), cell(0), sample(0, T0, { cpu: null, executions: null })]))
  expect(csv).toContain('main-0,,524288000')
  expect(csv).toMatch(/,,,\n$/)
})

test('names with commas and quotes are quoted', () => {
  expect(renderCsv(seriesOf([run(), cell(0, { variant: 'a, "b"' }), sample(0, T0)]))).toContain(',"a, ""b""",')
})
