import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { exitCodeFor } from '../../../loadtests/src/cli/measure.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import type { ReasonCode } from '../../../loadtests/src/model/step.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'

const result = (holds: boolean, ...codes: ReasonCode[]): Result =>
  ({
    verdict: { holds, at: null, reasons: codes.map((code) => ({ code, text: '', advice: '' })) },
  }) as unknown as Result
const exit = (...results: Summary['results']) => exitCodeFor(results)

test('the objective is met when every result holds, whatever broke beyond its capacity', () => {
  expect(exit(result(true, 'latency'), result(true))).toBe(exitCodes.met)
})

test('the objective is missed when one result does not hold', () => {
  expect(exit(result(true), result(false, 'latency'))).toBe(exitCodes.missed)
  expect(exit(result(false, 'oom-killed', 'errors', 'nothing-held'))).toBe(exitCodes.missed)
})

test('a measurement is invalid when the generator fell behind, n8n was never ready, or nothing was measured', () => {
  expect(exit(result(true), result(false, 'generator-behind'))).toBe(exitCodes.invalid)
  expect(exit(result(false, 'never-ready'))).toBe(exitCodes.invalid)
  expect(exit()).toBe(exitCodes.invalid)
})

test('a search that only the generator ended has not found n8n’s limit, though all that was tried held', () => {
  expect(exit(result(true, 'generator-behind'))).toBe(exitCodes.invalid)
  expect(exit(result(true, 'generator-behind'), result(false, 'latency'))).toBe(exitCodes.invalid)
})
