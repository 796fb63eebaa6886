import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { besideEachOther, exitCodeOfChoice, exitCodeOfGate, parseBounds } from '../../../loadtests/src/cli/compare.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import type { GateVerdict } from '../../../loadtests/src/model/gate.ts'

const gate = (warning: string | null, ...verdicts: GateVerdict['verdict'][]): Summary =>
  ({
    gate: { warning, verdicts: verdicts.map((verdict) => ({ verdict })) },
    results: [{ verdict: { holds: true, reasons: [] } }],
  }) as unknown as Summary

test('a gate is met when everything passed', () => {
  expect(exitCodeOfGate(gate(null, 'passed', 'passed'))).toBe(exitCodes.met)
})

test('a gate is missed when anything got worse, whatever is unsure', () => {
  expect(exitCodeOfGate(gate(null, 'passed', 'unsure', 'worse'))).toBe(exitCodes.missed)
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

test('a rate that nothing sustains under every workflow is missed, though each held some rate', () => {
  const measured = (need?: number) =>
    ({
      experiment: { need },
      recommendation: null,
      results: [{ verdict: { holds: true, reasons: [] } }],
    }) as unknown as Summary
  expect(exitCodeOfChoice(measured(500))).toBe(exitCodes.missed)
  expect(exitCodeOfChoice(measured())).toBe(exitCodes.met)
})

describe('--bound', () => {
  test('is of capacity, of memory, of CPU, or of several', () => {
    expect(parseBounds('capacity=10%,memory=0.2')).toEqual({ capacity: 0.1, memory: 0.2 })
    expect(parseBounds('cpu=10%')).toEqual({ cpu: 0.1 })
  })

  test.each(['10%', 'speed=1%', 'capacity=much', 'capacity=200%', ''])(
    'is refused as %j, with what it may be',
    (given) => {
      expect(() => parseBounds(given)).toThrow('Expected capacity=8%, memory=15% or cpu=8%, got ')
    },
  )
})

describe('--rate', () => {
  const prepared = (...names: string[]) =>
    ({
      experiment: {
        load: { shape: 'search', timeout: 10 },
        slo: { p95: 500 },
        variants: names.map((name) => ({ name, values: {} })),
      },
    }) as unknown as Prepared

  test('has all variants run at once, each held against the first', () => {
    expect(besideEachOther(prepared('before', 'after', 'later'), { rate: 10 }).experiment).toMatchObject({
      load: { shape: 'constant', rate: 10, timeout: 10, duration: 30 },
      variants: [
        { name: 'before', values: {} },
        { name: 'after', beside: 'before' },
        { name: 'later', beside: 'before' },
      ],
    })
  })

  test('is refused for a variant alone', async () => {
    expect(await refusalOf(async () => besideEachOther(prepared('before'), { rate: 10 }))).toMatchObject({
      code: 'nothing-beside',
      exit: exitCodes.usage,
    })
  })

  test('left out changes nothing', () => {
    const given = prepared('before', 'after')
    expect(besideEachOther(given, {})).toBe(given)
  })
})
