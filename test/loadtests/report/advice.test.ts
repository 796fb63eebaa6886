import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { toActOn } from '../../../loadtests/src/report/advice.ts'
import { cell, end, run, step } from '../fixtures/records.ts'
import type { ReasonCode } from '../../../loadtests/src/model/step.ts'

const codes = (because: ReasonCode[]): ReasonCode[] =>
  toActOn(summarise([run(), cell(0), step(0, 10), step(0, 20, { because }), end()]).results[0]).map(
    (reason) => reason.code,
  )

test('where a process died, what followed from it needs no advice', () => {
  expect(codes(['errors', 'latency', 'oom-killed'])).toEqual(['oom-killed'])
})

test('where all lived, every reason has its advice', () => {
  expect(codes(['latency', 'backlog'])).toEqual(['backlog', 'latency'])
})
