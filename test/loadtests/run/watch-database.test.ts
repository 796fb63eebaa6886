import type { ExecutionDatabase } from '../../../loadtests/src/n8n/executions.ts'
import { watchDatabase } from '../../../loadtests/src/run/watch-cell.ts'
import type { DatabaseSample } from '../../../loadtests/src/model/sample.ts'

const database = (activity?: ExecutionDatabase['activity']) => ({ activity }) as ExecutionDatabase

test('a database that says what its connections do is looked at again and again', async () => {
  const samples: DatabaseSample[] = []
  await new Promise<void>((resolve) => {
    const stop = watchDatabase(
      database(async () => ({ active: 3, onDisk: 1, lists: 0, transactions: 7 })),
      (sample) => {
        if (samples.push(sample) < 2) return
        stop()
        resolve()
      },
      5,
    )
  })
  expect(samples[1]).toEqual({ at: expect.any(Number), active: 3, onDisk: 1, lists: 0, transactions: 7 })
})

test('one that does not say it is left alone', () => {
  expect(() => watchDatabase(database(), () => {})()).not.toThrow()
})
