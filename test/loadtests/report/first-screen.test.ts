import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { identityOf, limits, rateFact, toSet } from '../../../loadtests/src/report/answer.ts'
import { ReasonCode } from '../../../loadtests/src/model/step.ts'
import { signOf } from '../../../loadtests/src/report/reason-words.ts'
import { root } from '../../../loadtests/src/lib/paths.ts'
import { cell, constant, end, patched, run, sample, step, T0, tiers } from '../fixtures/records.ts'
import { checkRun, quickRun, tiersRun } from '../fixtures/runs.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const folder = 'results/some-run'
const fact = (summary: Summary) => rateFact(summary, folder).text

/** A check at 50 requests a second. */
const atRate = (...records: RunRecord[]) =>
  summarise([
    run({ experiment: { load: constant, variants: [{ name: 'tuned', values: {} }] } }),
    cell(0),
    ...records,
    end(),
  ])
const held = () => atRate(sample(0, T0 + 1000, { cpu: 0.62 }), step(0, 50, { seconds: 30, p95: 120 }))

test('a rate that is asked for is answered by the interval, never by the figure alone', () => {
  expect(fact(summarise(checkRun(), { need: 50 }))).toBe('50/s: yes.')
  expect(fact(summarise(checkRun(), { need: 500 }))).toMatch(/^500\/s: no\. 500\/s is more than it sustains/)
  // 99.9/s was found, and surely are only 90.2/s.
  const { answer } = summarise(checkRun(), { need: 99 })
  expect(answer).toMatchObject({ answered: 'unsure', why: 'in-the-interval' })
  expect(answer.next).toBe('n8n-tuned check --workflow ping-webhook --rate 99 --hold 10m')
})

test('at one rate it is met or missed', () => {
  expect(fact(held())).toBe('50/s: yes.')
  expect(fact(atRate(step(0, 50, { because: ['latency'] })))).toMatch(/^50\/s: no\. At 50\/s: p95 was/)
})

test('where no rate was asked for, the safe rate is told, and how to ask', () => {
  expect(rateFact(summarise(checkRun()), folder)).toEqual({
    what: 'Safe rate',
    text: 'Safe: 90.2/s. There the objective holds with a chance of 97.5 %. Does it sustain yours?',
    command: './n8n-tuned report results/some-run --rate 50',
  })
  expect(fact(summarise([run(), end()]))).toBe('The run ended before it was measured.')
})

test('what limits it has its signs, and names no event loop where none was seen', () => {
  expect(limits(summarise(checkRun()))).toMatch(/Signs: p95 climbs\./)
  expect(limits(held())).toMatch(/^Nothing broke at this load\. Nearest to its limit: main-0’s CPU at 62 %/)
  expect(limits(atRate(step(0, 50, { because: ['generator-behind'] })))).toMatch(/^The generator, before n8n/)
})

test('every alert that a sign names has its page', () => {
  const alerts = readFileSync(join(root, 'docs/alerts.md'), 'utf8')
  const named = ReasonCode.options.flatMap((code) => signOf(code)?.match(/N8n\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(alerts).toContain(`## ${name}\n`)
})

test('what to set is what makes the difference, with the command; or what to change first', () => {
  expect(toSet(summarise(quickRun()), 'results/a run/values.yaml')).toEqual({
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
