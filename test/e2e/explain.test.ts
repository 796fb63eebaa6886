import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command } from '../support/command.ts'
import type { ExplainedProcess } from '../../loadtests/src/model/explanation.ts'

/** Below what n8n's defaults sustain of it on any machine: this is about where the time goes, not about how much. */
const modest = [
  'check',
  '--profile',
  'quick',
  '--variant',
  'n8n-defaults',
  '--workflow',
  'expression-webhook',
  '--rate',
  '6',
  '--quick',
  '--slo',
  'p95=5s',
]

describe('n8n-tuned check --explain, on a real n8n with its own defaults', () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'n8n-tuned-explain-')), 'run')
  let summary: Summary
  let words: string

  beforeAll(async () => {
    words = (await command(...modest, '--explain', '--out', dir)).out
    summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))
  }, 600_000)
  afterAll(() => rmSync(join(dir, '..'), { recursive: true }))

  const main = (): ExplainedProcess =>
    summary.results[0]!.explanation!.processes.find(({ process }) => process === 'main-0')!

  it('names ten functions of n8n and its libraries, the dearest first', () => {
    const { cpu, functions } = main()
    expect(cpu).toBeGreaterThan(1)
    expect(functions).toHaveLength(10)
    expect(functions.map(({ share }) => share)).toEqual(functions.map(({ share }) => share).sort((a, b) => b - a))
    expect(functions.some(({ where }) => /^(@n8n\/|n8n-|isolated-vm|typeorm|sqlite3)/.test(where))).toBe(true)
    expect(words).toContain(functions[0]!.name)
  })

  it('takes no other figure from the step under profile', () => {
    expect(summary.results[0]!.steps.filter(({ purpose }) => purpose === 'measure')).toHaveLength(1)
  })

  it('leaves the profiles for DevTools', () => {
    const profile = (kind: string) => join(dir, 'profiles', 'n8n-defaults-expression-webhook-0-1', `main-0.${kind}`)
    expect(JSON.parse(readFileSync(profile('cpuprofile'), 'utf8'))).toMatchObject({
      nodes: expect.any(Array),
      samples: expect.any(Array),
      timeDeltas: expect.any(Array),
    })
  })
})
