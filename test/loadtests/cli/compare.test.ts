import { exitCodeOfGate, parseBounds } from '../../../loadtests/src/cli/compare.ts'
import type { GateVerdict, Summary } from '../../../loadtests/src/analyse/summary.ts'
import { exitCodes } from '../../../loadtests/src/errors.ts'

const gate = (warning: string | null, ...verdicts: GateVerdict['verdict'][]): Summary =>
  ({ gate: { warning, verdicts: verdicts.map((verdict) => ({ verdict })) }, results: [{ verdict: { holds: true, reasons: [] } }] }) as unknown as Summary

test('a gate is met when everything passed', () => {
  expect(exitCodeOfGate(gate(null, 'passed', 'passed'))).toBe(exitCodes.met)
})

test('a gate is missed when anything got worse, whatever is unsure', () => {
  expect(exitCodeOfGate(gate('another machine', 'passed', 'unsure', 'worse'))).toBe(exitCodes.missed)
})

test('a gate is invalid when anything is unsure, the machines differ, or nothing could be compared', () => {
  expect(exitCodeOfGate(gate(null, 'passed', 'unsure'))).toBe(exitCodes.invalid)
  expect(exitCodeOfGate(gate('another machine', 'passed'))).toBe(exitCodes.invalid)
  expect(exitCodeOfGate(gate(null))).toBe(exitCodes.invalid)
})

test('a gate is invalid when the generator fell behind', () => {
  const behind = gate(null, 'passed')
  behind.results[0]!.verdict.reasons = [{ code: 'generator-behind', text: '', advice: '' }]
  expect(exitCodeOfGate(behind)).toBe(exitCodes.invalid)
})

describe('--bound', () => {
  test('is of capacity, of memory, or of both', () => {
    expect(parseBounds('capacity=10%,memory=0.2')).toEqual({ capacity: 0.1, memory: 0.2 })
  })

  test.each(['10%', 'speed=1%', 'capacity=much', 'capacity=200%', ''])('is refused as %j, with what it may be', (given) => {
    expect(() => parseBounds(given)).toThrow('Expected capacity=8% or memory=15%, got ')
  })
})
