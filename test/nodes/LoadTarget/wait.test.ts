import { expect, test } from '@jest/globals'
import { isLine0 } from '../../support/runtime.ts'
import { onEachLine, runOne } from '../lines.ts'

onEachLine((core, version) => {
  test('waits the given milliseconds', async () => {
    const json = await runOne(core(), { operation: 'wait', waitDuration: 300, waitUnit: 'milliseconds' })
    expect(json).toMatchObject({ operation: 'wait', waitMs: 300 })
    expect(json.tookMs).toBeGreaterThanOrEqual(298)
    expect(json.tookMs).toBeLessThan(3000)
  })

  test('waits the given seconds', async () => {
    const json = await runOne(core(), { operation: 'wait', waitDuration: 0.5, waitUnit: 'seconds' })
    expect(json).toMatchObject({ waitMs: 500 })
    expect(json.tookMs).toBeGreaterThanOrEqual(498)
  })

  test('uses no CPU and keeps nobody waiting: many wait at once', async () => {
    const started = performance.now()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        runOne(core(), { operation: 'wait', waitDuration: 400, waitUnit: 'milliseconds' }),
      ),
    )
    expect(performance.now() - started).toBeLessThan(7000)
  })

  // n8n 0.x does not tell a node that its execution is cancelled.
  if (!isLine0(version)) {
    test('ends when the execution is cancelled, and waits for no later item', async () => {
      const { status, items } = await core().run({
        parameters: { operation: 'wait', waitDuration: 30, waitUnit: 'seconds' },
        items: [{}, {}],
        cancelAfter: 100,
      })
      expect(status).toBe('canceled')
      expect(items?.map(({ json }) => json.cancelled)).toEqual([true, true])
      expect(items![0]!.json.tookMs).toBeLessThan(5000)
    })
  }
})
