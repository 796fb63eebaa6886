import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary.ts'

/**
 * What n8n does not save: with successful executions discarded it only marks their rows as deleted, and leaves in them
 * that they run. The real command, with a real n8n whose main process is killed. What n8n answers with 200 while it is
 * starting is lost in truth.
 */

const folder = temporaryFolder()
const queue = ['--set', 'executions.mode=queue', '--set', 'database.type=embedded']

async function mainKilled(name: string, ...values: string[]) {
  const out = join(folder, name)
  const load = ['--workflow', 'ping-webhook', '--rate', '5', '--quick', '--repeat', '1', '--slo', 'p95=20s']
  const lean = ['--set', 'tuning.tier=lean', '--fault', 'main-killed']
  const said = await command('check', ...load, ...lean, ...values, '--out', out)
  if (!existsSync(join(out, 'summary.json'))) throw new Error(`Expected a summary, got exit ${said.exit}: ${said.err}`)
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  return { ...said, summary, fate: summary.faults![0]!.fate }
}

test.each([
  ['regular', []],
  ['queue', queue],
])(
  'in %s mode nothing is called stuck or lost that n8n has finished and not saved',
  async (mode, values) => {
    const { fate } = await mainKilled(mode, ...values)
    expect(fate.sent).toBeGreaterThan(400)
    expect(fate).toMatchObject({ twice: [], stuck: [] })
    expect(fate.unknown).toBeUndefined()
    const starting = fate.starting ?? 0
    expect(fate.lost).toHaveLength(starting)
    expect(fate.once + fate.failed.length).toBe(fate.accepted - starting)
  },
  600_000,
)

test('where it saves neither kind, how one ended is unknown: said before the load and in the report', async () => {
  const { fate, err, out, summary } = await mainKilled(
    'neither',
    '--set',
    'role.extraEnv.EXECUTIONS_DATA_SAVE_ON_ERROR=none',
  )
  expect(err).toContain('neither the successful nor the failed executions of ping-webhook')
  expect(fate).toMatchObject({ once: 0, stuck: [] })
  const starting = fate.starting ?? 0
  expect(fate.lost).toHaveLength(starting)
  // What ran as the main process died, n8n marks as crashed after its restart: the one kind of row that stays.
  expect(fate.failed.length).toBeLessThan(10)
  expect(fate.unknown).toHaveLength(fate.accepted - fate.failed.length - starting)
  expect(out).toContain(`${fate.unknown!.length} ended in a way that n8n was told not to keep`)
  // The load before the fault has n8n’s metrics, which say how each ended.
  expect(summary.results[0]!.steps.at(-1)!.accounting).toMatchObject({ failed: 0, lost: 0 })
}, 600_000)
