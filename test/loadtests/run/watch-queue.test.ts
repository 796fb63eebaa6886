import type { Queue, QueueLook } from '../../../loadtests/src/n8n/queue.ts'
import { watchQueue } from '../../../loadtests/src/run/watch-cell.ts'
import type { QueueSample } from '../../../loadtests/src/model/sample.ts'

/** A queue that answers so, one look after the other, and then no more. */
function queue(...looks: (QueueLook | Error)[]): Queue {
  return {
    async look() {
      const next = looks.shift() ?? new Error('nobody answers')
      if (next instanceof Error) throw next
      return next
    },
    close: async () => {},
  }
}

test('a queue is looked at again and again, also after a look that failed', async () => {
  const samples: QueueSample[] = []
  await new Promise<void>((resolve) => {
    const stop = watchQueue(
      queue({ added: 3, waiting: 2, active: 1, keys: 7 }, new Error('Redis is gone'), {
        added: 9,
        waiting: 0,
        active: 4,
        keys: 8,
      }),
      (sample) => {
        samples.push(sample)
        if (samples.length < 2) return
        stop()
        resolve()
      },
      5,
    )
  })
  expect(samples).toEqual([
    { at: expect.any(Number), waiting: 2, active: 1, took: expect.any(Number), keys: 7 },
    { at: expect.any(Number), waiting: 0, active: 4, took: expect.any(Number), keys: 8 },
  ])
})
