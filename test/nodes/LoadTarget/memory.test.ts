import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import type { Core } from '../../support/core.ts'
import { onEachLine } from '../lines.ts'

async function rssMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

/** The highest the kernel sees while the node holds it, and what is left after. */
async function watch(core: Core, parameters: Record<string, unknown>) {
  const before = await rssMiB(core.pid)
  let peak = before
  const timer = setInterval(async () => (peak = Math.max(peak, await rssMiB(core.pid))), 20)
  const { items } = await core.run({ parameters: { operation: 'memory', memoryTime: 0.5, ...parameters } as never })
  clearInterval(timer)
  return { json: items![0]!.json, taken: peak - before, left: (await rssMiB(core.pid)) - before }
}

onEachLine((core) => {
  test.each(['heap', 'buffers'])('holds the given memory as %s and really gives it back', async (memoryKind) => {
    // The first also brings in what the process itself still needs.
    await watch(core(), { memorySize: 16, memoryKind, memoryTime: 0 })
    const { json, taken, left } = await watch(core(), { memorySize: 256, memoryKind })

    expect(json).toMatchObject({ operation: 'memory', heldMiB: 256, kind: memoryKind, seconds: 0.5 })
    expect(json.tookMs).toBeGreaterThanOrEqual(499)
    expect(taken).toBeGreaterThan(243)
    expect(taken).toBeLessThan(320)
    expect(left).toBeLessThan(40)
    const { holding, released } = json.rssMiB as { holding: number; released: number }
    expect(holding - released).toBeGreaterThan(220)
  })

  test('takes a little memory anew each time, and no more than that', async () => {
    for (let time = 0; time < 3; time++) {
      const { json, taken } = await watch(core(), { memorySize: 16, memoryKind: 'buffers', memoryTime: 0.2 })
      // The absolute figure, because the process may give back other memory at the same time.
      const { holding, released } = json.rssMiB as { holding: number; released: number }
      expect(holding - released).toBeGreaterThan(13)
      expect(taken).toBeLessThan(32)
    }
  })

  test('holds none', async () => {
    const { json } = await watch(core(), { memorySize: 0, memoryTime: 0 })
    expect(json).toMatchObject({ heldMiB: 0 })
  })
})
