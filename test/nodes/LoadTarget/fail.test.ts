import { expect, test } from '@jest/globals'
import { isLine0 } from '../../support/runtime.ts'
import { onEachLine, runOne } from '../lines.ts'

const requests = Array.from({ length: 1000 }, (_, number) => ({ number }))
const always = { operation: 'fail', failProbability: 100 }

onEachLine((core, version) => {
  test('never fails at 0 %', async () => {
    expect(await runOne(core(), { operation: 'fail', failProbability: 0 })).toMatchObject({
      operation: 'fail',
      failed: false,
    })
  })

  test('always fails at 100 %, as a node does', async () => {
    const { error } = await core().run({ parameters: always })
    expect(error).toEqual({
      name: 'NodeOperationError',
      message: 'Failed as told: 100 of 100 do',
      itemIndex: 0,
      node: 'Load Target',
    })
  })

  test('fails as often as told, and for the same keys again', async () => {
    const run = async (seed: number) => {
      const { items } = await core().run({
        parameters: { operation: 'fail', failProbability: 20, seed, key: '={{ $json.number }}' },
        items: requests,
        settings: { continueOnFail: true },
      })
      return items!.map(({ json }) => json.error !== undefined)
    }
    const fates = await run(1)
    const failed = fates.filter(Boolean).length
    // Four standard deviations.
    expect(failed).toBeGreaterThan(150)
    expect(failed).toBeLessThan(250)
    expect(await run(1)).toEqual(fates)
    expect(await run(2)).not.toEqual(fates)
  })

  test('draws for the execution and the item where there is no key', async () => {
    const { items } = await core().run({
      parameters: { operation: 'fail', failProbability: 50 },
      items: requests.slice(0, 50),
      settings: { continueOnFail: true },
    })
    const failed = items!.filter(({ json }) => json.error).length
    expect(failed).toBeGreaterThan(10)
    expect(failed).toBeLessThan(40)
  })

  test('a slow answer is late and well', async () => {
    const json = await runOne(core(), { ...always, failBy: 'slow', failSlow: 300 })
    expect(json).toMatchObject({ failed: true })
    expect(json.tookMs).toBeGreaterThanOrEqual(298)
  })

  if (!isLine0(version)) {
    test('a slow answer ends when the execution is cancelled', async () => {
      const { status, items } = await core().run({
        parameters: { ...always, failBy: 'slow', failSlow: 30_000 },
        cancelAfter: 100,
      })
      expect(status).toBe('canceled')
      expect(items![0]!.json).toMatchObject({ failed: true, cancelled: true })
    })
  }
})
