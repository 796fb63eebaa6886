import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { FaultResult, Summary } from '../../loadtests/src/analyse/summary.ts'
import { command } from '../support/command.ts'

/**
 * One fault from the command to the verdict, on a real n8n in queue mode. How soon service is back is not asked on a
 * machine that runs other tests beside it: docs/resilience.md has such figures.
 */

const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a Redis that freezes for ten seconds under load', () => {
  const out = join(folder, 'run')
  let fault: FaultResult
  let said: string
  beforeAll(async () => {
    const asked = ['--rate', '2', '--quick', '--slo', 'p95=20s', '--fault', 'redis-frozen=10s']
    said = (await command('check', '--profile', 'faults', ...asked, '--repeat', '1', '--out', out)).out
    const { faults } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
    ;[fault] = faults as [FaultResult]
  }, 400_000)

  it('costs no request', () => {
    const { sent, ...fate } = fault.fate
    // At 2/s, for 20 s before the fault, its 10 s and 70 s after it.
    expect(sent).toBeGreaterThan(190)
    expect(fate).toMatchObject({ accepted: sent, once: sent, twice: [], lost: [], stuck: [], unanswered: 0 })
  })

  it('makes callers wait for as long as it lasts', () => {
    expect(fault.service.slowest).toBeGreaterThan(8)
  })

  it('is told in words, and drawn in the report', () => {
    expect(said).toContain(`redis-frozen: ${fault.fate.sent} of ${fault.fate.sent} requests accepted`)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('What the faults did')
  })
})
