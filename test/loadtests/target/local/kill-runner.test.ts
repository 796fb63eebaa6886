import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { killRunner } from '../../../../loadtests/src/target/local/kill-runner.ts'
import type { Started } from '../../../../loadtests/src/target/local/ready.ts'
import { namedProgram } from '../../../support/named-program.ts'

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
    await killRunner([pod('main', runnerOfMain!), pod('worker', worker!, runner!)])
  )()
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect([worker!.exitCode, worker!.signalCode, runnerOfMain!.signalCode]).toEqual([null, null, null])
})

test('without workers it is main’s runner', async () => {
  const runner = await namedProgram('@n8n/task-runner/start.js')
  const ended = once(runner, 'exit')
  await killRunner([pod('main', runner)])
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('without a runner the fault does not begin', async () => {
  await expect(killRunner([pod('main', await namedProgram('n8n'))])).rejects.toMatchObject({ code: 'no-task-runner' })
})
