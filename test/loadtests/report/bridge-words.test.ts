import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Realism } from '../../../loadtests/src/model/result.ts'
import { headline } from '../../../loadtests/src/report/sentences.ts'
import { toHaveItWhole } from '../../../loadtests/src/report/bridge-words.ts'
import { cell, constant, end, run, sample, step, T0 } from '../fixtures/records.ts'

const summaryOf = (over: Partial<Realism>) =>
  summarise([
    run({ experiment: { load: constant, variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    {
      ...{ type: 'rehearsed', at: T0, cell: 0 },
      workflows: [
        {
          ...{ workflow: 'orders', nodes: 13, ran: 12, untaken: [], ended: true },
          path: { nodes: 13, ran: 12, end: 'Log', branches: [] },
          bridged: [
            {
              ...{ node: 'Log', said: 'Sheet with name Orders not found', gives: 'input' },
              remedy: { code: 'answer', node: 'Log', source: 'Log' },
            },
          ],
          ...over,
        },
      ],
    },
    sample(0, T0 + 1000, { cpu: 0.62 }),
    step(0, 50, { seconds: 30, p95: 120 }),
    end(),
  ])

test('an answer with a bridge says so in its first sentence, and what to give to have it whole', () => {
  const summary = summaryOf({})
  expect(summary.answer.answered).toBe('met')
  expect(headline(summary)).toContain(
    'orders: 12 of 13 nodes ran; "Log" was bridged: Sheet with name Orders not found.',
  )
  expect(toHaveItWhole(summary)[0]).toMatch(/"Log" asks a service\. Give an answer of it under outside\.rules/)
  expect(headline(summaryOf({ bridged: undefined }))).not.toContain('bridged')
})

test('below half of the main path it is unsure', () => {
  const { answer } = summaryOf({ ran: 6, path: { nodes: 13, ran: 6, end: 'Log', branches: [] } })
  expect(answer).toMatchObject({ answered: 'unsure', why: 'path-not-run' })
})
