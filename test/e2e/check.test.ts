import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { WrittenSummary } from '../../loadtests/src/model/summary.ts'

const root = join(import.meta.dirname, '../..')
const command = (args: string[]) =>
  promisify(execFile)(join(root, 'node_modules/.bin/n8n-tuned'), args, {
    cwd: root,
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` },
  })

/** A rate that any machine sustains: this tests the way from profile to report, not speed. */
const modest = ['check', '--rate', '5', '--quick', '--repeat', '1', '--slo', 'p95=20s', '--workflow', 'ping-webhook']

describe('n8n-tuned check, on a real n8n', () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-')), 'run')
  let summary: WrittenSummary
  let words: string

  beforeAll(async () => {
    words = (await command([...modest, '--out', dir])).stdout
    summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))
  }, 600_000)
  afterAll(() => rmSync(join(dir, '..'), { recursive: true }))

  it('meets the objective and says so', () => {
    expect(summary.results.map(({ workflow, verdict }) => [workflow, verdict.holds])).toEqual([['ping-webhook', true]])
    expect(words).toContain('ping-webhook')
  })

  it('counts every accepted request as finished', () => {
    const [step] = summary.results[0]!.steps.filter(({ purpose }) => purpose === 'measure')
    const { accepted, ...became } = step!.accounting
    // So many that the objective can be called met: 5/s for 25 s.
    expect(accepted).toBe(5 * 25)
    expect(became).toMatchObject({ finished: accepted, failed: 0, waiting: 0, lost: 0 })
    // n8n's metrics and its database would be said to differ.
    expect(summary.environment.warnings.filter((text) => text.startsWith('ping-webhook on check'))).toEqual([])
  })

  it('calibrates the machine', () => {
    expect(summary.environment.calibration!.rate).toBeGreaterThan(0)
  })

  it('leaves the files of a run', () => {
    const files = ['run.ndjson', 'summary.json', 'report.html', 'report.md', 'samples.csv', 'values.yaml']
    expect(files.filter((file) => !existsSync(join(dir, file)))).toEqual([])
  })

  it('leaves values that the chart renders', async () => {
    const { stdout } = await promisify(execFile)(join(root, 'tools/bin/helm'), [
      'template',
      join(root, 'charts/n8n-tuned'),
      '--values',
      join(dir, 'values.yaml'),
    ])
    expect(stdout).toContain('kind: Deployment')
  })
})
