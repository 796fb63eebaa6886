import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { again, fromRoot, installing } from '../../../loadtests/src/report/commands.ts'
import { rateFact, toSet } from '../../../loadtests/src/report/answer.ts'
import { writeReport } from '../../../loadtests/src/report/write.ts'
import { root } from '../../../loadtests/src/lib/paths.ts'
import { checkRun } from '../fixtures/runs.ts'

const dir = mkdtempSync(join(tmpdir(), 'a run’s folder '))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** As a reader pastes them, in the repository's folder and with its tools. */
const pasted = (command: string) =>
  execa(command, {
    shell: 'bash',
    cwd: root,
    env: { PATH: `${root}/tools/bin:${root}/node_modules/.bin:${process.env.PATH}` },
  })

test('what a report prints runs as it stands, also where a folder has spaces', async () => {
  const records = checkRun()
  const summary = summarise(records)
  writeFileSync(join(dir, 'run.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await writeReport(dir, summary, records)
  const install = toSet(summary, join(fromRoot(dir), 'values.yaml')).command!
  const installed = await pasted(
    install.replace('upgrade --install', 'template').replace('--reset-then-reuse-values ', ''),
  )
  expect(installed.stdout).toContain('n8n-tuned/tier: tuned')
  const ask = rateFact(summary, fromRoot(dir)).command!
  expect((await pasted(ask)).stdout).toContain(
    'tuned has the smallest trade-off of those that sustain 50/s of every workflow.',
  )
}, 60_000)

test('an install changes the release that is there, and keeps its values', () => {
  const release = { name: 'flows', namespace: 'automation' }
  expect(installing('results/one/values.yaml', { release })).toBe(
    'helm upgrade --install flows charts/n8n-tuned --namespace automation --reset-then-reuse-values '
      + '--values results/one/values.yaml',
  )
  expect(installing('results/one/values.yaml', {})).toBe(
    'helm upgrade --install n8n-tuned charts/n8n-tuned --namespace n8n --create-namespace --reset-then-reuse-values '
      + '--values results/one/values.yaml',
  )
})

test('commands are for the repository’s folder, which has the program', () => {
  expect(fromRoot(join(root, 'results/one'))).toBe('results/one')
  expect(fromRoot('/somewhere/else')).toBe('/somewhere/else')
  expect(again('n8n-tuned check --rate 50')).toBe('./n8n-tuned check --rate 50')
})
