import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { status, until } from '../../../../loadtests/src/await.ts'
import type { Plan } from '../../../../loadtests/src/chart/plan.ts'
import { exitCodes } from '../../../../loadtests/src/errors.ts'
import { freePorts } from '../../../../loadtests/src/ports.ts'
import { parseList } from '../../../../loadtests/src/target/local/cores.ts'
import { localTarget } from '../../../../loadtests/src/target/local/local.ts'
import type { Order, Target } from '../../../../loadtests/src/target/target.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { groupsOf, isRunning } from '../../../support/leftovers.ts'

let target: Target
beforeEach(async () => {
  target = await localTarget()
})
afterEach(() => target.close())

const allowed = async (argv: string[]): Promise<string> => {
  const [command, ...args] = argv
  return (await execa(command!, args)).stdout.split(/\s+/).at(-1)!
}
const whichCores = ['grep', 'Cpus_allowed_list', '/proc/self/status']

/** A server that tells its own id, run as the calibration is. */
async function startServer(): Promise<{ pid: number; stop(): Promise<void> }> {
  const [port] = await freePorts(1)
  const script = `require('http').createServer((_, response) => response.end(String(process.pid))).listen(${port}, '127.0.0.1')`
  const { stop } = await target.runProgram([process.execPath, '-e', script], { cpu: 1, memory: null })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await status(url)) === 200, { timeout: 15_000, every: 20 })
  return { pid: Number(await (await fetch(url)).text()), stop }
}

test('the generator is put on cores of its own, where there are two', async () => {
  expect(await allowed(target.placeGenerator(whichCores))).toBe(target.cores.generator.join(','))
  if (target.cores.target.join() !== target.cores.generator.join()) expect(target.cores.target).not.toContain(target.cores.generator[0])
})

test('a program of ours runs on n8n’s cores, under its limits, until it is stopped', async () => {
  const { pid, stop } = await startServer()
  const [, list] = /Cpus_allowed_list:\s+(\S+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))!
  expect(parseList(list!)).toEqual(target.cores.target)
  expect((await groupsOf(pid)).length > 0).toBe(target.limits.kind.startsWith('cgroup'))
  await stop()
  expect(await isRunning(pid)).toBe(false)
})

test('closed, it leaves no process, no control group and no folder', async () => {
  const { pid } = await startServer()
  const groups = (await groupsOf(pid)).flatMap((group) => [group, dirname(group)])
  const scratch = join(tmpdir(), `n8n-tuned-${userInfo().uid}`, String(process.pid))
  expect(existsSync(scratch)).toBe(true)
  await target.close()
  expect(await isRunning(pid)).toBe(false)
  expect([scratch, ...groups].filter(existsSync)).toEqual([])
})

test('several replicas are refused: there is no balancer before them yet', async () => {
  const plan = { workloads: [{ component: 'worker', replicas: 3 }], services: [] } as unknown as Plan
  const refusal = await refusalOf(() => target.up(plan, {} as Order))
  expect(refusal).toMatchObject({ code: 'not-on-this-target', exit: exitCodes.usage, hint: expect.stringContaining('worker.replicas') })
  expect(refusal.message).toContain('3 replicas of worker')
})
