import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { T0, cell, closed, end, run, step } from '../fixtures/records.ts'
import type { ResultVerdict } from '../../../loadtests/src/model/result.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

function verdictOf(records: RunRecord[], load?: Load): ResultVerdict & { codes: string[] } {
  const { verdict } = summarise([run({ experiment: load ? { load } : {} }), cell(0), ...records, end()]).results[0]
  return { ...verdict, codes: verdict.reasons.map((reason) => reason.code) }
}

test('a search that found its rate holds, and says what broke beyond it', () => {
  const verdict = verdictOf([
    step(0, 100),
    step(0, 110, { because: ['latency'] }),
    step(0, 200, { because: ['errors'] }),
  ])
  expect(verdict).toMatchObject({ holds: true, at: 110, codes: ['latency'] })
})

test('a search that met no limit has no reasons', () => {
  expect(verdictOf([step(0, 100)])).toMatchObject({ holds: true, at: null, codes: [] })
})

test('causes come before their consequences', () => {
  const verdict = verdictOf([
    step(0, 10),
    step(0, 20, { because: ['errors', 'latency', 'executions-lost', 'oom-killed'] }),
  ])
  expect(verdict.codes).toEqual(['oom-killed', 'executions-lost', 'errors', 'latency'])
})

test('where nothing held, the lowest rate explains it', () => {
  const verdict = verdictOf([step(0, 20, { because: ['latency'] }), step(0, 5, { because: ['oom-killed'] })])
  expect(verdict).toMatchObject({ holds: false, at: 5, codes: ['oom-killed', 'nothing-held'] })
  expect(verdict.reasons[1]).toEqual({ code: 'nothing-held', lowest: 5 })
})

test('a generator at its end is named as such', () => {
  expect(verdictOf([step(0, 100), step(0, 150, { because: ['generator-behind'] })])).toMatchObject({
    holds: true,
    at: 150,
    codes: ['generator-behind'],
  })
})

test('where only the generator failed, n8n is not said to have held nothing', () => {
  expect(verdictOf([step(0, 100, { because: ['generator-behind'] })])).toMatchObject({
    holds: false,
    codes: ['generator-behind'],
  })
})

test('n8n that broke before anything was measured says so', () => {
  expect(verdictOf([step(0, 5, { purpose: 'warm-up', because: ['oom-killed'] })])).toMatchObject({
    holds: false,
    codes: ['oom-killed', 'nothing-held'],
  })
})

test('a closed shape holds only where every step did', () => {
  const verdict = verdictOf([step(0, null, { repeat: 1 }), step(0, null, { repeat: 2, because: ['latency'] })], closed)
  expect(verdict).toMatchObject({ holds: false, at: null, codes: ['latency'] })
})

test('a cell that never got ready gives the reason', () => {
  const failed: RunRecord = {
    type: 'cell-failed',
    cell: 0,
    at: T0,
    code: 'never-ready',
    message: 'main-0 ended with exit code 255.',
    log: ['…'],
  }
  const verdict = verdictOf([failed])
  expect(verdict).toMatchObject({ holds: false, codes: ['never-ready'] })
  expect(verdict.reasons[0]).toMatchObject({ failure: { message: 'main-0 ended with exit code 255.' } })
})

test('a search keeps its answer when n8n does not come back after it broke', () => {
  const failed: RunRecord = {
    type: 'cell-failed',
    cell: 0,
    at: T0,
    code: 'never-ready',
    message: 'main-0 did not come back.',
    log: [],
  }
  expect(verdictOf([step(0, 20), step(0, 30, { because: ['crashed'] }), failed])).toMatchObject({
    holds: true,
    codes: ['crashed'],
  })
})
