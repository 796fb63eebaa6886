import { spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { killFirstRunner, placesOf } from '../../../../../loadtests/src/target/kubernetes/faults/kill-runner.ts'
import { namedProgram } from '../../../../support/named-program.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'
import { pod } from '../pods.ts'

const folder = temporaryFolder()
/** Runs the script as in a container that has only these processes, and the shell of the script. */
function killIn(...processes: ChildProcess[]) {
  const seen = mkdtempSync(join(folder, 'proc-'))
  for (const { pid } of processes) symlinkSync(`/proc/${pid}`, join(seen, String(pid)))
  return spawnSync('sh', ['-c', `ln -s /proc/$$ ${seen}/$$\n${killFirstRunner(seen)}`]).status
}

test('the runner is killed, not n8n, nor the launcher, which starts the next one', async () => {
  const others = await Promise.all(['n8n worker', '/usr/local/bin/task-runner-launcher javascript'].map(namedProgram))
  const runner = await namedProgram('@n8n/task-runner/dist/start.js')
  const ended = once(runner, 'exit')
  expect(killIn(...others, runner)).toBe(0)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(others.map(({ signalCode }) => signalCode)).toEqual([null, null])
})

test('a container without a runner says so', async () => {
  expect(killIn(await namedProgram('n8n worker'))).toBe(3)
})

test('it is looked for in the containers of the workers and beside them', () => {
  const worker = pod('worker-a', 'worker')
  worker.spec.initContainers.push({ name: 'runner', restartPolicy: 'Always' })
  expect(
    placesOf(
      new Map([
        ['main-0', pod('main-a', 'main')],
        ['worker-0', worker],
      ]),
    ),
  ).toEqual([
    ['worker-a', 'n8n'],
    ['worker-a', 'runner'],
  ])
})

test('without workers it is main’s', () => {
  expect(placesOf(new Map([['main-0', pod('main-a', 'main')]]))).toEqual([['main-a', 'n8n']])
})
