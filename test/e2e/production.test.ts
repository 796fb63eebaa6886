import { connect } from 'node:net'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse, stringify } from 'yaml'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { mergeValues } from '../../loadtests/src/lib/values.ts'
import { command, root } from '../support/command.ts'
import { openDecoy, type Decoy } from '../support/decoy.ts'
import type { Values } from '../../loadtests/src/model/experiment.ts'

/** The values that deploy production, run as they are on this machine, with decoys where their stores would be. */

const fixtures = join(root, 'test/loadtests/chart/fixtures/production')
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
let database: Decoy
let redis: Decoy
beforeAll(async () => {
  database = await openDecoy('127.0.0.77')
  redis = await openDecoy('127.0.0.77')
})
afterAll(async () => {
  await database.close()
  await redis.close()
  rmSync(folder, { recursive: true })
})

const at = ({ host, port }: Decoy) => ({ type: 'external', host, port })

/** The file, whose stores are the decoys. One pod of a role, because this is about what they reach. */
function given(name: string): string {
  const values = parse(readFileSync(join(fixtures, `${name}.yaml`), 'utf8')) as Record<string, Values>
  const external = (store: string, decoy: Decoy) => (values[store]?.type === 'external' ? { [store]: at(decoy) } : {})
  const file = join(folder, `${name}.yaml`)
  const fewer = { worker: { replicas: 1 }, webhook: { replicas: 1 } }
  writeFileSync(file, stringify(mergeValues(values, external('database', database), external('redis', redis), fewer)))
  return file
}

/** A rate that any machine sustains. */
const modest = ['--workflow', 'ping-webhook', '--rate', '5', '--quick', '--repeat', '1', '--slo', 'p95=10s']

it('a decoy notes who connects', async () => {
  const decoy = await openDecoy('127.0.0.77')
  await once(connect(decoy.port, decoy.host), 'close')
  expect(decoy.connections).toBe(1)
  await decoy.close()
})

describe.each(['secrets', 'private-registry'])('the values of production %s', (name) => {
  let run: Awaited<ReturnType<typeof command>>
  let summary: Summary
  beforeAll(async () => {
    const dir = join(folder, name)
    run = await command('check', '--values', given(name), ...modest, '--out', dir)
    summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))
  }, 600_000)

  it('are measured', () => {
    expect(summary.results.map(({ verdict }) => verdict.holds)).toEqual([true])
    expect(run.exit).toBe(0)
  })

  it('reach no store of production', () => {
    expect([database.connections, redis.connections]).toEqual([0, 0])
  })

  it('are listed in the first lines and in the report, as far as they were set aside', () => {
    const begins = run.err.split('\n').slice(0, 3).join('\n')
    expect(begins).toContain('Of your values')
    expect(summary.setAside!.length).toBeGreaterThan(3)
    for (const { what } of summary.setAside!) expect(run.err).toContain(what[0]!.split(' ')[0])
  })
})
