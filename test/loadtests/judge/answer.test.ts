import { answered, exitCodeOf } from '../../../loadtests/src/judge/answer.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import type { Experiment } from '../../../loadtests/src/model/experiment.ts'
import type { GateVerdict } from '../../../loadtests/src/model/gate.ts'
import { ReasonCode, reasonMeaning } from '../../../loadtests/src/model/step.ts'
import { cell, end, run, step } from '../fixtures/records.ts'
import { checkRun, quickRun } from '../fixtures/runs.ts'
import { undecided } from '../fixtures/undecided.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'

const changed = (summary: Summary, over: Partial<Summary>) => answered({ ...summary, ...over })
const exit = (summary: Summary) => exitCodeOf(summary.answer)

describe('a gate', () => {
  const gate = (apart: number | null, ...verdicts: GateVerdict['verdict'][]) =>
    exit(
      changed(summarise(checkRun()), {
        gate: {
          bounds: { capacity: 0.08, memory: 0.15, cpu: 0.08 },
          against: 'earlier',
          apart,
          verdicts: verdicts.map((verdict) => ({ verdict }) as GateVerdict),
        },
      }),
    )

  test('is met when everything passed', () => {
    expect(gate(null, 'passed', 'passed')).toBe(exitCodes.met)
  })

  test('is missed when anything got worse, whatever is unsure', () => {
    expect(gate(null, 'passed', 'unsure', 'worse')).toBe(exitCodes.missed)
  })

  test('is neither when anything is unsure, the machines differ, or nothing could be compared', () => {
    expect(gate(null, 'passed', 'unsure')).toBe(exitCodes.invalid)
    expect(gate(-0.2, 'passed', 'worse')).toBe(exitCodes.invalid)
    expect(gate(null)).toBe(exitCodes.invalid)
  })
})

test('where the rate was too low to tell the CPU of a request, twice the rate would decide the gate', () => {
  const summary = summarise(checkRun())
  const load = { shape: 'constant', rate: 4, duration: 30, timeout: 10 } as const
  const { answer } = changed(summary, {
    experiment: { ...summary.experiment, load },
    command: 'n8n-tuned compare --rate 4 --bound cpu=8%',
    gate: {
      bounds: { capacity: 0.08, memory: 0.15, cpu: 0.08 },
      against: null,
      apart: null,
      verdicts: [{ verdict: 'unsure', without: 'cpu-unseen' } as GateVerdict],
    },
  })
  expect(answer.next).toBe('n8n-tuned compare --bound cpu=8% --rate 8')
})

test('a fault that cost what it must not is missed, and one of which nothing is known is not measured', () => {
  const summary = summarise(checkRun())
  const fault = (broken: string[]) => [{ broken }] as unknown as Summary['faults']
  expect(changed(summary, { faults: fault(['1 lost']) }).answer).toMatchObject({
    answered: 'missed',
    why: 'fault-cost',
  })
  expect(changed(summary, { faults: fault([]) }).answer.answered).toBe('measured')
})

test('two that may differ either way are unsure, and neither is recommended', () => {
  const { answer } = undecided(summarise(quickRun()))
  expect(answer).toMatchObject({ answered: 'unsure', why: 'no-clear-difference' })
  expect(answer.next).toBe('n8n-tuned compare --profile quick --within 5% --budget 1h')
})

test('where it is asked what each sustains, that is measured, and which is better may stay open', () => {
  const { answer } = undecided(summarise(quickRun()), { asks: 'capacity' })
  expect(answer).toMatchObject({ answered: 'measured', why: null, question: { kind: 'capacity' } })
  expect(answer.next).toBe('n8n-tuned compare --profile quick --within 5% --budget 1h')
})

test('where it is asked what each sustains, one that was not measured leaves that unknown', () => {
  const whole = summarise(quickRun())
  const [first, ...others] = whole.results
  const spoiled = {
    ...first!,
    capacity: null,
    verdict: { holds: false, at: null, reasons: [{ code: 'machine-busy' }] },
  }
  const { answer } = undecided({ ...whole, results: [spoiled as unknown as Result, ...others] }, { asks: 'capacity' })
  expect(answer).toMatchObject({ answered: 'not-measured', why: 'machine-busy' })
})

test('of an n8n that was measured only up to the generator’s limit, the answer is at least so much, and unsure', () => {
  const one: Partial<Experiment> = { variants: [{ name: 'tuned', values: {} }] }
  const { answer } = summarise([
    run({ experiment: one }),
    cell(0),
    step(0, 50),
    step(0, 90, { because: ['generator-behind'] }),
    end(),
  ])
  expect(answer.configurations[0]).toMatchObject({ answered: 'unsure', why: 'generator-behind' })
})

test('each reason has one meaning', () => {
  const spoiled = ReasonCode.options.filter((code) => reasonMeaning(code).means === 'spoiled')
  expect(spoiled).toEqual(['machine-busy', 'generator-behind', 'too-short', 'too-few'])
  expect(ReasonCode.options.filter((code) => reasonMeaning(code).means === 'unknown')).toEqual([
    'never-ready',
    'silent',
  ])
})

test('an option that a command has already is changed, not given twice', () => {
  const summary = summarise([
    run({
      command: 'n8n-tuned check --rate 50 --slo p95=500ms',
      experiment: { variants: [{ name: 'tuned', values: {} }] },
    }),
    cell(0),
    {
      type: 'rehearsed',
      at: 0,
      cell: 0,
      workflows: [
        { workflow: 'agent', nodes: 3, ran: 3, untaken: [], ended: true, first: { took: 2810, services: 2660 } },
      ],
    },
    { type: 'cell-failed', at: 0, cell: 0, code: 'objective-cannot-hold', message: 'It cannot hold.', log: [] },
    end(),
  ])
  expect(summary.answer).toMatchObject({ answered: 'not-measured', why: 'objective-cannot-hold' })
  expect(summary.answer.configurations[0]!.objective).toBe(4500)
  expect(summary.answer.next).toBe('n8n-tuned check --rate 50 --slo p95=4500ms')
})

test('an interval that says hardly anything answers no search, but whether a low rate is sustained', () => {
  const one: Partial<Experiment> = { variants: [{ name: 'tuned', values: {} }] }
  const searched = (need?: number) =>
    summarise([
      run({ experiment: { ...one, ...(need && { need }) } }),
      cell(0),
      step(0, 13.6),
      step(0, 15, { because: ['latency'] }),
      end(),
    ])
  expect(searched().answer).toMatchObject({ answered: 'unsure', why: 'chance' })
  expect(searched(4).answer.answered).toBe('met')
})
