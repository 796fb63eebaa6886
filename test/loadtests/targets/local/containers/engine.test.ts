import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processGenerator } from '../../../../../loadtests/src/load/process.ts'
import { until } from '../../../../../loadtests/src/lib/await.ts'
import { localTarget } from '../../../../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../../../../loadtests/src/targets/target.ts'
import type { Running } from '../../../../../loadtests/src/n8n/running.ts'
import { makeSmallImage } from '../../../../support/containers/image.ts'
import { tinyOrder, tinyPlan } from '../../../../support/containers/plan.ts'
import { containersOf, describeContainers, runtime } from '../../../../support/containers/runtime.ts'
import { kill } from '../../../../support/kill.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'
import type { TargetEvent } from '../../../../../loadtests/src/model/event.ts'

/** A small plan in real containers. */

const folder = temporaryFolder()
const patient = 120_000

describeContainers('a plan in containers', () => {
  let target: Target
  let running: Running
  const events: TargetEvent[] = []
  /** On a connection of its own: the balancer hands out connections. */
  const ask = async (path = '/') =>
    (await fetch(running.url + path, { headers: { connection: 'close' } })).json() as Promise<Record<string, unknown>>
  const podsAnswering = async () =>
    new Set(await Promise.all(Array.from({ length: 4 }, () => ask().then(({ pod }) => pod))))
  const exits = () => events.flatMap(({ exit }) => exit ?? [])

  beforeAll(async () => {
    makeSmallImage(runtime!.program)
    target = await localTarget(processGenerator, { runtime })
    running = await target.up(
      tinyPlan(2),
      tinyOrder(folder, (event) => events.push(event)),
    )
  }, patient)
  afterAll(() => target?.close(), patient)

  test('says what it is, for the record', () => {
    expect(target.engine).toBe(`containers of ${runtime!.program} ${runtime!.version}`)
  })

  test('sees its volumes, as the user and on the root that the pod names', async () => {
    expect(await ask()).toMatchObject({
      user: process.getuid!() === 0 ? 1000 : process.getuid!(),
      prepared: 'ready',
      secret: 'sesame',
      root: 'EROFS',
      secrets: 'EROFS',
      nested: 'written',
    })
  })

  test('has replicas behind one address, each on a port of its own', async () => {
    expect((await podsAnswering()).size).toBe(2)
  })

  test('listens on loopback only', async () => {
    const port = Number((await ask()).pod)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0')
    const listening = ['tcp', 'tcp6']
      .flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'))
      .filter((line) => line.includes(`:${port} `) && / 0A /.test(line))
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${port}`])
  })

  test(
    'uses no more CPU than its limit, and is looked at container by container',
    async () => {
      const usage = () =>
        Promise.all(running.processes.filter(({ serves }) => serves).map((process) => process.usage()))
      const before = await usage()
      const began = performance.now()
      await ask('/burn')
      const after = await usage()
      const seconds = (performance.now() - began) / 1000
      const used = after.map(({ cpuSeconds }, index) => cpuSeconds! - before[index]!.cpuSeconds!)
      expect(Math.max(...used)).toBeGreaterThan(0.2)
      expect(Math.max(...used) / seconds).toBeLessThan(0.6)
      // The kernel charges shared pages, such as Node’s own program, to the process that read them first.
      for (const { rss, pids } of after) expect([rss! > 2 ** 22, pids]).toEqual([true, 1])
    },
    patient,
  )

  test(
    'is killed beyond its memory, and started again as a kubelet would',
    async () => {
      await ask('/hold').catch(() => {})
      await until(async () => exits().length > 0, { timeout: 30_000, every: 50 })
      expect(exits()).toMatchObject([{ reason: 'oom-killed', code: 137 }])
      expect(
        await until(async () => (await podsAnswering().catch(() => new Set())).size === 2, {
          timeout: 60_000,
          every: 100,
        }),
      ).toBe(true)
    },
    patient,
  )

  test(
    'taken down, it leaves no container',
    async () => {
      expect(containersOf(process.pid)).toHaveLength(2)
      await running.down()
      expect(containersOf(process.pid)).toEqual([])
    },
    patient,
  )
})

describeContainers('containers of a lab that was killed', () => {
  /** Runs a lab of its own, and kills it then. */
  async function killedLab(when: (child: ReturnType<typeof spawn>) => Promise<unknown>): Promise<number> {
    makeSmallImage(runtime!.program)
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, '../../../../support/containers/owner.ts'), folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await when(child)
    await kill(child)
    return child.pid!
  }

  const nextStart = async () => (await localTarget(processGenerator)).close()

  test(
    'are there until the next lab starts, whatever that one runs',
    async () => {
      const lab = await killedLab((child) => once(child.stdout!, 'data'))
      expect(containersOf(lab)).toHaveLength(1)
      await nextStart()
      expect(containersOf(lab)).toEqual([])
    },
    patient,
  )

  test(
    'do not appear after it either, where one was still being made',
    async () => {
      const lab = await killedLab((child) =>
        until(async () => containersOf(child.pid!).length > 0, { timeout: 30_000, every: 10 }),
      )
      await nextStart()
      expect(containersOf(lab)).toEqual([])
    },
    patient,
  )
})
