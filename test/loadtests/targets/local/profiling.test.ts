import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { readStat, signal } from '../../../../loadtests/src/lib/processes.ts'
import { machineNetwork } from '../../../../loadtests/src/targets/local/network.ts'
import { profilable, type Profilable } from '../../../../loadtests/src/targets/local/profiling.ts'

/** A real Node process, started as n8n is. */

const alive: ChildProcess[] = []
afterAll(() => alive.splice(0).forEach(({ pid }) => signal(-pid!, 'SIGKILL')))

async function start(program: string): Promise<Profilable & { pid: number }> {
  const made = await profilable(machineNetwork)
  const child = spawn(process.execPath, ['-e', `${program}; setInterval(() => {}, 1000); console.log('ready')`], {
    detached: true,
    env: made.env({}),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  alive.push(child)
  await new Promise((resolve) => child.stdout!.once('data', resolve))
  return { ...made, pid: child.pid! }
}

const begin = ({ begin: profile, pid }: Profilable & { pid: number }) =>
  profile({ leader: () => pid, usage: async () => ({ cpuSeconds: (await readStat(pid))!.cpu }) })

test('a process at work is seen at what it does, with the CPU time that the system counted', async () => {
  // Each time by a new function: one that V8 is just compiling when the profile begins it never names.
  const busy = await start(`let times = 0
    setInterval(() => {
      const body = 'for (let turn = 0; turn < 500; turn++) JSON.stringify(Array(100).fill({}))'
      eval('(function busy() { ' + body + ' }) // ' + times++)()
    }, 40)`)
  const end = await begin(busy)
  const before = (await readStat(busy.pid))!.cpu
  while ((await readStat(busy.pid))!.cpu - before < 0.5) await setTimeout(50)
  const { cpu, counted } = await end()
  const names = cpu.samples.map((id) => cpu.nodes.find((node) => node.id === id)!.callFrame.functionName)
  expect(names).toContain('busy')
  expect(names).toContain('(idle)')
  expect(counted).toBeGreaterThan(0.4)
}, 60_000)

test('a process that ends meanwhile is an error and no profile', async () => {
  const short = await start('')
  const end = await begin({ ...short, begin: short.begin })
  signal(short.pid, 'SIGKILL')
  await expect(end()).rejects.toThrow()
})

const mebibyte = 2 ** 20
/** A million numbers in an array of objects: more than 20 MiB. */
const some = 'Array.from({ length: 1e6 }, (_, number) => ({ number }))'

test('what a process keeps counts', async () => {
  const { pid, keptHeap } = await start(`globalThis.kept = ${some}`)
  expect(await keptHeap(() => pid)).toBeGreaterThan(20 * mebibyte)
})

test('its garbage does not count, and it can be asked again', async () => {
  const { pid, keptHeap } = await start(`globalThis.kept = ${some}; globalThis.kept = null`)
  for (const _ of ['first', 'again']) expect(await keptHeap(() => pid)).toBeLessThan(10 * mebibyte)
})
