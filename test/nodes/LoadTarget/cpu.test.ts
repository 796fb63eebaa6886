import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { isLine0 } from '../../support/runtime.ts'
import { onEachLine, runOne } from '../lines.ts'

/** CPU milliseconds of the process as the kernel counts them, in steps of 10. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

onEachLine((core, version) => {
  test('burns the given CPU time, by its own account and by the kernel’s', async () => {
    await runOne(core(), { operation: 'cpu', cpuTime: 50 })
    const before = await cpuMs(core().pid)
    const json = await runOne(core(), { operation: 'cpu', cpuTime: 1000 })
    const used = (await cpuMs(core().pid)) - before

    expect(json).toMatchObject({ operation: 'cpu', cpuMs: 1000 })
    expect(json.burntMs).toBeGreaterThanOrEqual(1000)
    expect(json.burntMs).toBeLessThan(1050)
    expect(json.tookMs).toBeGreaterThanOrEqual(990)
    expect(used).toBeGreaterThanOrEqual(950)
    expect(used).toBeLessThan(1200)
  })

  test('burns a short time', async () => {
    await runOne(core(), { operation: 'cpu', cpuTime: 50 })
    const json = await runOne(core(), { operation: 'cpu', cpuTime: 10 })
    expect(json.burntMs).toBeGreaterThanOrEqual(10)
    expect(json.burntMs).toBeLessThan(15)
  })

  test('counts to the given number', async () => {
    const json = await runOne(core(), { operation: 'cpu', cpuAmount: 'count', cpuCount: 5_000_000 })
    expect(json).toMatchObject({ operation: 'cpu', counted: 5_000_000 })
    expect(json.tookMs).toBeGreaterThan(0.5)
  })

  // n8n 0.x does not tell a node that its execution is cancelled.
  if (!isLine0(version)) {
    test.each([
      ['time', { cpuTime: 30_000 }],
      ['count', { cpuAmount: 'count', cpuCount: 1e11 }],
    ])('ends soon when the execution is cancelled, told by %s', async (_, parameters) => {
      const { status, items } = await core().run({ parameters: { operation: 'cpu', ...parameters }, cancelAfter: 100 })
      expect(status).toBe('canceled')
      expect(items![0]!.json).toMatchObject({ cancelled: true })
      expect(items![0]!.json.tookMs).toBeLessThan(3000)
    })
  }
})
