import { existsSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Plan } from '../../../../loadtests/src/chart/plan.ts'
import { render } from '../../../../loadtests/src/chart/render.ts'
import { processGenerator } from '../../../../loadtests/src/load/process.ts'
import { parseList } from '../../../../loadtests/src/targets/local/cores.ts'
import { localTarget } from '../../../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../../../loadtests/src/targets/target.ts'
import { groupsOf, isRunning } from '../../../support/leftovers.ts'
import { plantSmallN8n, smallN8n } from '../../../support/small-n8n/plant.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { findWorkflow } from '../../../../loadtests/src/workload/open.ts'

const logs = temporaryFolder()
const cache = join(logs, 'cache')
plantSmallN8n(cache)
process.env.N8N_TUNED_CACHE = cache

let target: Target
beforeEach(async () => {
  target = await localTarget(processGenerator)
})
afterEach(() => target.close())

/** A server that tells its own id, run as the calibration is. */
const file = join(import.meta.dirname, '../../../support/tells-its-pid.ts')

async function serve(): Promise<{ pid: number; stop(): Promise<void> }> {
  const { url, stop } = await target.serve!(file, { cpu: 1, memory: null })
  return { pid: Number(await (await fetch(url)).text()), stop }
}

const coresOf = async (pid: number | 'self') =>
  parseList(/Cpus_allowed_list:\s+(\S+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]!)

test('the generator is put on cores of its own, where there are two', async () => {
  if (target.cores.target.join() !== target.cores.generator.join())
    expect(target.cores.target).not.toContain(target.cores.generator[0])
  expect(target.generator.cores).toBe(target.cores.generator.length)
})

test('a server of ours runs on n8n’s cores, under its limits, until it is stopped', async () => {
  const { pid, stop } = await serve()
  expect(await coresOf(pid)).toEqual(target.cores.target)
  expect((await groupsOf(pid)).length > 0).toBe(target.limits.kind.startsWith('cgroup'))
  await stop()
  expect(await isRunning(pid)).toBe(false)
})

test('closed, it leaves no process, no control group and no folder', async () => {
  const { pid } = await serve()
  const groups = (await groupsOf(pid)).flatMap((group) => [group, dirname(group)])
  const scratch = await readlink(`/proc/${pid}/cwd`)
  expect(dirname(scratch)).toBe(tmpdir())
  await target.close()
  expect(await isRunning(pid)).toBe(false)
  expect([scratch, ...groups].filter(existsSync)).toEqual([])
})

const small = await render({ image: { tag: smallN8n } })
const workflows = [await findWorkflow('ping-webhook', { file: '', line: null })]

describe('two plans at once', () => {
  const up = (plan: Plan) =>
    target.up(plan, {
      workflows,
      logs,
      signal: new AbortController().signal,
      onEvent: () => {},
      onProgress: () => {},
    })
  const answers = ({ url }: { url: string }) =>
    fetch(`${url}/webhook/ping`).then(
      ({ ok }) => ok,
      () => false,
    )

  test('are up side by side, and each goes by itself', async () => {
    const [one, other] = await Promise.all([up(small), up(small)])
    expect(await Promise.all([answers(one), answers(other)])).toEqual([true, true])
    await one.down()
    expect(await Promise.all([answers(one), answers(other)])).toEqual([false, true])
  })

  test('do not share their fate when one cannot start', async () => {
    const [workload] = small.workloads as [Plan['workloads'][0]]
    const unknown: Plan = {
      ...small,
      workloads: [
        { ...workload, containers: [{ ...workload.containers[0]!, image: { repository: 'unknown', tag: '1' } }] },
      ],
    }
    const [one, other] = await Promise.allSettled([up(unknown), up(small)])
    expect(one.status).toBe('rejected')
    expect(other.status === 'fulfilled' && (await answers(other.value))).toBe(true)
  })
})
