import { invalid } from '../../../loadtests/src/lib/errors.ts'
import { watchKeptHeaps } from '../../../loadtests/src/run/kept-heaps.ts'
import type { Order } from '../../../loadtests/src/targets/target.ts'
import type { RunningProcess } from '../../../loadtests/src/n8n/running.ts'
import { running } from '../fixtures/running.ts'

/** A process whose heap keeps these bytes at one look after the other. */
const process = (name: string, ...looks: (number | Error)[]) =>
  ({
    name,
    async keptHeap() {
      const look = looks.shift()!
      if (look instanceof Error) throw look
      return look
    },
  }) as RunningProcess

test('each heap is looked at before and after', async () => {
  const lookAgain = await watchKeptHeaps([process('main-0', 100, 110), process('worker-0', 200, 190)])
  expect(await lookAgain()).toEqual([
    { process: 'main-0', before: 100, after: 110 },
    { process: 'worker-0', before: 200, after: 190 },
  ])
})

test('processes that cannot be looked into, or do not answer, are left out', async () => {
  const lookAgain = await watchKeptHeaps([
    { name: 'redis-0' } as RunningProcess,
    process('worker-0', new Error('gone'), 1),
    process('worker-1', 1, new Error('gone')),
  ])
  expect(await lookAgain()).toEqual([])
})

test.each([
  [600, true],
  [599, false],
])('n8n is started so that its heap can be looked into where a load lasts for minutes: %i s', async (duration, is) => {
  const orders: Order[] = []
  await running({
    load: { shape: 'constant', rate: 1, duration, timeout: 5 },
    onUp(order) {
      orders.push(order)
      throw invalid('enough', 'Expected no more.', 'None.')
    },
  })
  expect(orders.map(({ profiled }) => profiled)).toEqual(orders.map(() => is))
  expect(orders.length).toBeGreaterThan(0)
})
