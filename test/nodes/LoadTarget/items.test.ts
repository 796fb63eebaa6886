import { hostname } from 'node:os'
import { expect, test } from '@jest/globals'
import { onEachLine } from '../lines.ts'

onEachLine((core) => {
  test('does the work once for each item and pairs the answer with it', async () => {
    const { items } = await core().run({
      parameters: { operation: 'wait', waitDuration: '={{ $json.ms }}', waitUnit: 'milliseconds' },
      items: [{ ms: 1 }, { ms: '20' }, { ms: 3 }],
    })
    expect(items?.map(({ json, pairedItem }) => [json.waitMs, pairedItem])).toEqual([
      [1, { item: 0 }],
      [20, { item: 1 }],
      [3, { item: 2 }],
    ])
  })

  test('the operation can differ by parameters only: each item sees its own', async () => {
    const { items } = await core().run({
      parameters: { operation: 'cpu', cpuAmount: '={{ $json.amount }}', cpuTime: 2, cpuCount: 7 },
      items: [{ amount: 'count' }, { amount: 'time' }],
    })
    expect(items?.map(({ json }) => [json.counted, json.cpuMs])).toEqual([
      [7, undefined],
      [undefined, 2],
    ])
  })

  test('says who did it', async () => {
    const { items } = await core().run({ parameters: { operation: 'wait', waitDuration: 0 } })
    expect(items![0]!.json).toMatchObject({ host: hostname(), pid: core().pid })
  })
})
