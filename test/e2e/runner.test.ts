import { render } from '../../loadtests/src/chart/render.ts'
import { findWorkflow } from '../../loadtests/src/workload/open.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../loadtests/src/targets/target.ts'
import type { Running } from '../../loadtests/src/n8n/running.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The chart's sidecar with a task runner, on one machine: the runner that comes with n8n, under limits of its own. */

const logs = temporaryFolder()
const workflow = await findWorkflow('cpu-webhook-builtin', { file: '', line: null })
let target: Target
let running: Running

beforeAll(async () => {
  target = await localTarget(processGenerator)
  const values = { runner: { mode: 'external', resources: { limits: { cpu: '500m', memory: '512Mi' } } } }
  running = await target.up(await render(values), {
    workflows: [workflow],
    logs,
    signal: new AbortController().signal,
    onEvent: () => {},
    onProgress: () => {},
  })
}, 600_000)
afterAll(() => target.close())

test('an external task runner runs what Code nodes say', async () => {
  const answer = await fetch(running.url + workflow.webhook.path, { signal: AbortSignal.timeout(30_000) })
  expect(await answer.json()).toEqual({ counted: 40_000_000 })
}, 300_000)

test('it is a process of its own, with its own limits', async () => {
  const runner = running.processes.find(({ name }) => name === 'main-0-runner')!
  expect(runner.limits).toEqual({ cpu: 0.5, memory: 512 * 2 ** 20 })
  expect((await runner.usage()).rss).toBeGreaterThan(20 * 2 ** 20)
})
