import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { killRunner } from '../../../../loadtests/src/target/local/kill-runner.ts'
import type { Started } from '../../../../loadtests/src/target/local/ready.ts'

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))

async function program(name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name])
  children.push(child)
  await once(child, 'spawn')
  return child
}

const pod = (component: string, ...processes: ChildProcess[]) =>
  ({
    pod: { workload: { component } },
    containers: new Map([['n8n', { pids: async () => processes.map(({ pid }) => pid) }]]),
  }) as unknown as Started

test('of a worker only its runner is killed, and main’s stays', async () => {
  const [worker, runner, runnerOfMain] = await Promise.all(
    ['n8n worker', '@n8n/task-runner/start.js', '@n8n/task-runner/start.js'].map(program),
  )
  const ended = once(runner!, 'exit')
  await (
    await killRunner([pod('main', runnerOfMain!), pod('worker', worker!, runner!)])
  )()
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect([worker!.exitCode, worker!.signalCode, runnerOfMain!.signalCode]).toEqual([null, null, null])
})

test('without workers it is main’s runner', async () => {
  const runner = await program('@n8n/task-runner/start.js')
  const ended = once(runner, 'exit')
  await killRunner([pod('main', runner)])
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('without a runner the fault does not begin', async () => {
  await expect(killRunner([pod('main', await program('n8n'))])).rejects.toMatchObject({ code: 'no-task-runner' })
})
