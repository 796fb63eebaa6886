import { render } from '../../loadtests/src/chart/render.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { openSchedules } from '../../loadtests/src/run/schedules.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../loadtests/src/targets/target.ts'
import { findWorkflow, withScheduled } from '../../loadtests/src/workload/open.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Copies of a scheduled workflow in a real n8n, each beginning at the full minute by n8n's own clock. */

const logs = temporaryFolder()
const signal = new AbortController().signal
const named = (name: string) => findWorkflow(name, { file: '', line: null })
const workflow = withScheduled(await named('ping-webhook'), [await named('every-minute')], 3)
const minute = 60_000

// Each waits for a full minute, so they do that side by side.
const targets = [await localTarget(processGenerator), await localTarget(processGenerator)]
afterAll(async () => {
  for (const target of targets) await target.close()
})

async function runsOn(target: Target, values: object) {
  const running = await target.up(await render({ ...values }), {
    workflows: [workflow],
    logs,
    signal,
    onEvent: () => {},
    onProgress: () => {},
  })
  const called = [workflow.id]
  const schedules = openSchedules({ settings: running.settings!, scheduled: workflow.beside!, called, signal })
  const begun = await schedules.begun(() => {})
  const due = Math.floor(Date.now() / minute) * minute
  const seen = await schedules.during({ startedAt: due - 1, endedAt: due + 1 })
  await schedules.close()
  return { begun, seen }
}

test('n8n begins each copy once a minute, and its database says how late each was', async () => {
  const both = [{}, { database: { type: 'embedded' } }].map((values, nth) => runsOn(targets[nth]!, values))
  for (const { begun, seen } of await Promise.all(both)) {
    expect(begun).toBe(3)
    expect(seen).toMatchObject({ copies: 3, due: 1, ran: 3, missed: 0, double: 0, failed: 0, open: 0 })
    expect(seen.late.max).toBeGreaterThan(0)
    expect(seen.late.max).toBeLessThan(minute)
  }
}, 600_000)
