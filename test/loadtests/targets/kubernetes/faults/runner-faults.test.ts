import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import { runnerFaultScript, placesOf } from '../../../../../loadtests/src/targets/kubernetes/faults/inside.ts'
import type { RunnerFault } from '../../../../../loadtests/src/model/fault.ts'
import { namedProgram } from '../../../../support/named-program.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'
import { pod } from '../made-pods.ts'

const patient = { timeout: 10_000, every: 20 }
const folder = temporaryFolder()
/** Runs the script as in a container that has only these processes, and the shell of the script. */
function injectIn(how: RunnerFault, ...processes: ChildProcess[]) {
  const seen = mkdtempSync(join(folder, 'proc-'))
  for (const { pid } of processes) symlinkSync(`/proc/${pid}`, join(seen, String(pid)))
  const script = `ln -s /proc/$$ ${seen}/$$\n${runnerFaultScript(how, seen)}`
  return spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] })
}
const runnerName = '@n8n/task-runner/dist/start.js'
const namesOf = (pods: Map<string, any>) =>
  placesOf(pods).map(({ pod, container }) => [pod.metadata.name, container.name])
const isFrozen = ({ pid }: ChildProcess) => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

test.each([
  ['kill', 'SIGKILL'],
  ['end', 'SIGTERM'],
] as const)(
  '%s is for the runner, not for n8n, nor for the launcher, which starts the next one',
  async (how, signal) => {
    const others = await Promise.all(['n8n worker', '/usr/local/bin/task-runner-launcher javascript'].map(namedProgram))
    const runner = await namedProgram(runnerName)
    const ended = once(runner, 'exit')
    expect(await once(injectIn(how, ...others, runner), 'exit')).toEqual([0, null])
    expect(await ended).toEqual([null, signal])
    expect(others.map(({ signalCode }) => signalCode)).toEqual([null, null])
  },
)

test('the runner is frozen until the script’s input ends', async () => {
  const runner = await namedProgram(runnerName)
  const script = injectIn('freeze', runner)
  expect(String((await once(script.stdout, 'data'))[0])).toBe('begun\n')
  expect(await until(async () => isFrozen(runner), patient)).toBe(true)

  script.stdin.end()
  await once(script, 'exit')
  expect(await until(async () => !isFrozen(runner), patient)).toBe(true)
})

test('its memory is taken until it is gone, and then given back', async () => {
  const runner = await namedProgram(runnerName)
  const script = injectIn('exhaust-memory', runner)
  const children = () => readFileSync(`/proc/${script.pid}/task/${script.pid}/children`, 'utf8').trim().split(' ')
  expect(await until(async () => children().length > 2, patient)).toBe(true)
  const taking = children()

  // The kernel does this when the memory is gone.
  runner.kill('SIGKILL')
  expect(await once(script, 'exit')).toEqual([0, null])
  expect(await until(async () => taking.every((pid) => !existsSync(`/proc/${pid}`)), patient)).toBe(true)
})

test('a container without a runner says so', async () => {
  expect(await once(injectIn('kill', await namedProgram('n8n worker')), 'exit')).toEqual([3, null])
})

test('it is looked for in the containers of the workers and beside them', () => {
  const worker = pod('worker-a', 'worker')
  worker.spec.initContainers.push({ name: 'runner', restartPolicy: 'Always' })
  expect(
    namesOf(
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
  expect(namesOf(new Map([['main-0', pod('main-a', 'main')]]))).toEqual([['main-a', 'n8n']])
})
