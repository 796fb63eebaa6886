import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import { injectIntoLocalRunner } from '../../../../../loadtests/src/targets/local/faults.ts'
import type { Started } from '../../../../../loadtests/src/targets/local/ready.ts'
import { namedProgram } from '../../../../support/named-program.ts'

const patient = { timeout: 10_000, every: 20 }

const pod = (component: string, ...processes: ChildProcess[]) =>
  ({
    pod: { workload: { component } },
    containers: new Map([['n8n', { pids: async () => processes.map(({ pid }) => pid) }]]),
  }) as unknown as Started

test('of a worker only its runner is killed, and main’s stays', async () => {
  const [worker, runner, runnerOfMain] = await Promise.all(
    ['n8n worker', '@n8n/task-runner/start.js', '@n8n/task-runner/start.js'].map(namedProgram),
  )
  const ended = once(runner!, 'exit')
  await (
    await injectIntoLocalRunner('kill', [pod('main', runnerOfMain!), pod('worker', worker!, runner!)])
  )()
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect([worker!.exitCode, worker!.signalCode, runnerOfMain!.signalCode]).toEqual([null, null, null])
})

test('without workers it is main’s runner', async () => {
  const runner = await namedProgram('@n8n/task-runner/start.js')
  const ended = once(runner, 'exit')
  await injectIntoLocalRunner('end', [pod('main', runner)])
  expect(await ended).toEqual([null, 'SIGTERM'])
})

test('a frozen runner goes on at the end', async () => {
  const runner = await namedProgram('@n8n/task-runner/start.js')
  const isFrozen = () => /^State:\s+T/m.test(readFileSync(`/proc/${runner.pid}/status`, 'utf8'))
  const recover = await injectIntoLocalRunner('freeze', [pod('main', runner)])
  expect(await until(async () => isFrozen(), patient)).toBe(true)
  await recover()
  expect(await until(async () => !isFrozen(), patient)).toBe(true)
})

test('the end of a frozen runner that n8n has ended does nothing', async () => {
  const runner = await namedProgram('@n8n/task-runner/start.js')
  const recover = await injectIntoLocalRunner('freeze', [pod('main', runner)])
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  await recover()
})

test('without a runner the fault does not begin', async () => {
  await expect(injectIntoLocalRunner('kill', [pod('main', await namedProgram('n8n'))])).rejects.toMatchObject({
    code: 'no-task-runner',
  })
})
