import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command } from '../support/command.ts'
import type { FaultResult } from '../../loadtests/src/model/fault.ts'

/**
 * A subset of the faults from the command to the verdict, on a real n8n in queue mode. How soon service is back is not
 * asked on a machine that runs other tests beside it: docs/resilience.md has such figures. `make test-faults`, ten
 * minutes.
 */

const asked = ['redis-frozen=10s', 'redis-cut', 'worker-killed']

const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('under a load of two requests a second', () => {
  const out = join(folder, 'run')
  let faults: Map<string, FaultResult>
  let said: string
  const of = (name: string) => faults.get(name.split('=')[0]!)!
  beforeAll(async () => {
    const load = ['--rate', '2', '--quick', '--slo', 'p95=20s', '--repeat', '1']
    const flags = asked.flatMap((fault) => ['--fault', fault])
    said = (await command('check', '--profile', 'faults', ...load, ...flags, '--out', out)).out
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
    faults = new Map(summary.faults!.map((each) => [each.fault, each]))
  }, 900_000)

  it.each(asked)('%s leaves every request with one outcome, and no caller without an answer', (name) => {
    const { sent, accepted, refused, once, failed, ...fate } = of(name).fate
    // At 2/s, for 20 s before the fault and 70 s after its end.
    expect(sent).toBeGreaterThan(170)
    expect(fate).toMatchObject({ twice: [], lost: [], stuck: [], unanswered: 0 })
    expect(accepted + refused).toBe(sent)
    expect(once + failed.length).toBe(accepted)
  })

  it.each(asked.filter((name) => name !== 'worker-killed'))('%s costs no request', (name) => {
    const { sent, accepted, once } = of(name).fate
    expect({ accepted, once }).toEqual({ accepted: sent, once: sent })
  })

  it('a killed worker costs at most what it executed', () => {
    const { refused, failed } = of('worker-killed').fate
    expect(refused + failed.length).toBeLessThanOrEqual(10)
  })

  it('a frozen Redis makes callers wait for as long as it lasts', () => {
    expect(of('redis-frozen').service.slowest).toBeGreaterThan(8)
  })

  it('each fault is told in words, and drawn in the report', () => {
    for (const { fault, fate } of faults.values())
      expect(said).toContain(`${fault}: ${fate.accepted} of ${fate.sent} requests accepted`)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('What the faults did')
  })
})
