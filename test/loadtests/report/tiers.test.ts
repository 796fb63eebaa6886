import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { renderConsole } from '../../../loadtests/src/report/render.ts'
import { renderHtml } from '../../../loadtests/src/report/render.ts'
import { renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { tiersOf } from '../../../loadtests/src/report/tiers.ts'
import { cell, end, run, step, tiers } from '../fixtures/records.ts'
import { matrixRun, tiersRun } from '../fixtures/runs.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const told = (...cells: Parameters<typeof cell>[1][]) =>
  tiersOf(
    summarise([run(), ...cells.flatMap((over, index): RunRecord[] => [cell(index, over), step(index, 50)]), end()]),
  )

test('every report says what each tier gives up, and which patches were in force', () => {
  const summary = summarise(tiersRun())
  const said = [
    'n8n-defaults: you lose no function of n8n.',
    'tuned: you lose no function of n8n.',
    'lean: you lose the history of successful executions and the insights page.',
    'patched: you lose the history of successful executions, the insights page and n8n’s own code unchanged. '
      + 'Patches in force: fewerQueries. Skipped: fastIsolates (its module is not a version it was verified on).',
  ]
  expect(tiersOf(summary)).toEqual(said)
  for (const text of [renderConsole(summary, { color: false }), renderMarkdown(summary), renderHtml(summary, [])]) {
    for (const sentence of said) expect(text).toContain(sentence)
  }
})

test('configurations of another name than their tier say which it is', () => {
  expect(told({ variant: '2.41.1', tier: tiers.tuned }, { variant: '1.123.81', tier: tiers.tuned })).toEqual([
    '2.41.1 and 1.123.81, tier tuned: you lose no function of n8n.',
  ])
})

test('many that share it are counted', () => {
  expect(tiersOf(summarise(matrixRun()))).toEqual(['12 configurations, tier tuned: you lose no function of n8n.'])
})

test('patches of which n8n says nothing are no patches in force', () => {
  expect(told({ variant: 'patched' })[0]).toMatch(
    /n8n does not say whether it applied fastIsolates and fewerQueries\.$/,
  )
})

test('a patched tier without a patch says so', () => {
  expect(told({ variant: 'patched', tier: { ...tiers.patched!, patches: [] } })[0]).toContain('No patch in force')
})

test('nothing is said of what is none of the chart', () => {
  expect(told({ variant: 'bare', tier: null })).toEqual([])
})
