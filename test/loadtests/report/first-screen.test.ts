import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { headroomOf } from '../../../loadtests/src/report/headroom.ts'
import { identityOf, nextToBreak, toSet } from '../../../loadtests/src/report/answer.ts'
import { signs } from '../../../loadtests/src/report/labels.ts'
import { root } from '../../../loadtests/src/lib/paths.ts'
import { cell, constant, end, patched, run, sample, step, T0, tiers } from '../fixtures/records.ts'
import { checkRun, closedRun, quickRun, tiersRun } from '../fixtures/runs.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const folder = 'results/some-run'
const headroom = (summary: Summary) => headroomOf(summary, folder).text

/** A check at 50 requests a second. */
const atRate = (...records: RunRecord[]) =>
  summarise([
    run({ experiment: { load: constant, variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    ...records,
    end(),
  ])
const held = () => atRate(sample(0, T0 + 1000, { cpu: 0.62 }), step(0, 50, { seconds: 30, p95: 120 }))

test('headroom is how many times what was asked for it sustains', () => {
  expect(headroom(summarise(checkRun(), { need: 50 }))).toBe(
    'Asked for: 50/s. That is sustained: n8n sustains 2 times that (between 2 and 2.1).',
  )
  expect(headroom(summarise(quickRun(), { need: 50 }))).toMatch(
    /^Asked for: 50\/s of each\. That is too much: .* 0\.44 times that.* under expression-webhook\.$/,
  )
})

test('at one rate headroom is what was left of everything, since more was not tried', () => {
  expect(headroom(held())).toBe(
    '50/s held, and more was not tried. At that rate: main-0’s CPU at 62 % of its limit, main-0’s memory at '
      + '49 % of its limit and p95 at 24 % of its objective.',
  )
  expect(headroom(atRate(step(0, 50, { because: ['latency'] })))).toBe(
    'None: at 50/s the objective was missed under ping-webhook.',
  )
})

test('where no rate was asked for, it says how to ask', () => {
  expect(headroomOf(summarise(checkRun()), folder)).toEqual({
    text:
      'No rate was asked for. Run it at 68.7/s, 70 % of the least it may sustain. '
      + 'Put your rate in place of the last number:',
    command: './n8n-tuned report results/some-run --rate 50',
  })
  expect(headroom(summarise(closedRun()))).toMatch(/^No rate was asked for: each of 8 clients waits/)
  expect(headroom(summarise([run(), end()]))).toBe('Not known: nothing was measured.')
})

test('what would break next has its signs, under every workflow', () => {
  expect(nextToBreak(summarise(checkRun()))).toMatch(/^At 105\/s: latency\. .* Signs: p95 climbs/)
  expect(nextToBreak(summarise(quickRun()))).toMatch(
    /^wait-5s-webhook at [\d.]+\/s: latency\. ping-webhook at [\d.]+\/s: latency\. .*Signs:/,
  )
  expect(nextToBreak(held())).toMatch(/^Nothing broke at this load\. Nearest to its limit: main-0’s CPU at 62 %/)
  expect(nextToBreak(atRate(step(0, 50, { because: ['generator-behind'] })))).toMatch(/^The generator, before n8n/)
})

test('every alert that a sign names has its page', () => {
  const alerts = readFileSync(join(root, 'docs/alerts.md'), 'utf8')
  const named = Object.values(signs).flatMap((text) => text.match(/N8n\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(alerts).toContain(`## ${name}\n`)
})

test('what to set is what makes the difference, with the command; or what to change first', () => {
  expect(toSet(summarise(quickRun()), 'results/a run')).toEqual({
    text: 'tuning.tier: tuned.',
    command:
      'helm upgrade --install n8n-tuned charts/n8n-tuned --namespace n8n --create-namespace --reset-then-reuse-values '
      + "--values 'results/a run/values.yaml'",
  })
  expect(toSet(atRate(step(0, 50, { because: ['latency'] })), folder)).toEqual({
    text: expect.stringMatching(/^Nothing yet\. .* Give main more CPU, or add workers/),
  })
})

test('what was measured is told by chart, n8n, image, tier and patches', () => {
  const image = `n8nio/n8n:2.41.1@sha256:${'0'.repeat(64)}`
  const of = (environment: { engine: string | null; limits: string }, named = image) =>
    identityOf(
      summarise([
        run({ environment }),
        cell(0, { variant: 'patched', tier: { ...tiers.patched!, chart: '0.2.0', image: named } }),
        step(0, 50),
        patched(0, [{ patch: 'fewerQueries', state: 'applied', reason: null }]),
        end(),
      ]),
    ).join(' · ')
  const cluster = { engine: null, limits: 'Kubernetes' }
  expect(of(cluster)).toBe(`chart 0.2.0 · n8n 2.41.1 · image ${image} · tier patched · patches fewerQueries`)
  expect(of(cluster, 'n8nio/n8n:2.41.1')).toContain('image n8nio/n8n:2.41.1, no digest pinned')
  expect(of({ engine: 'containers of podman', limits: 'podman' })).toContain('n8nio/n8n:2.41.1, digest not recorded')
  expect(of({ engine: 'processes', limits: 'cgroup v2' })).toContain('installed from npm, without an image')
  expect(identityOf(summarise(tiersRun()))).toContain('no patches')
})
