import { tellOf } from '../../../loadtests/src/judge/tries.ts'
import type { ReasonCode, Step } from '../../../loadtests/src/model/step.ts'

const tried = (late: number, of = 200, ...because: ReasonCode[]): Step => {
  const codes = late > 0.05 * of ? ['latency', ...because] : because
  return {
    holds: codes.length === 0,
    reasons: codes.map((code) => ({ code })),
    lateness: [{ objective: 'p95', allowed: 0.05, late, of }],
  } as unknown as Step
}

test('one try that is sure tells', () => {
  expect(tellOf([tried(0)])).toEqual({ holds: true, sure: true })
  expect(tellOf([tried(60)])).toEqual({ holds: false, sure: true })
})

test('one that is not does not, whatever side it is on', () => {
  expect(tellOf([tried(8)])).toEqual({ holds: true, sure: false })
  expect(tellOf([tried(12)])).toEqual({ holds: false, sure: false })
})

test('tries that are unsure are taken together', () => {
  expect(tellOf([tried(6), tried(5), tried(6)])).toEqual({ holds: true, sure: true })
  expect(tellOf([tried(15), tried(15), tried(15)])).toEqual({ holds: false, sure: true })
})

test('a pause of n8n in one step does not break a rate that surely held as often', () => {
  expect(tellOf([tried(60), tried(0)])).toEqual({ holds: true, sure: false })
  expect(tellOf([tried(60), tried(0), tried(70)])).toEqual({ holds: false, sure: true })
})

test('what broke for another reason than late answers is sure', () => {
  expect(tellOf([tried(8, 200, 'backlog')])).toEqual({ holds: false, sure: true })
})

test('in runs of earlier versions each try says for itself', () => {
  const { lateness: _, ...step } = tried(12)
  expect(tellOf([step])).toEqual({ holds: false, sure: true })
})
