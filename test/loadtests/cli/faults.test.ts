import type { Summary } from '../../../loadtests/src/analyse/summary.ts'
import { broke, faultsOf } from '../../../loadtests/src/cli/faults.ts'
import { experiment } from '../fixtures/records.ts'

test('a profile’s faults are those of every verb that measures it', () => {
  expect(faultsOf(experiment({ faults: ['redis-frozen=45s', 'worker-killed'] }))).toMatchObject([
    { name: 'redis-frozen', seconds: 45 },
    { name: 'worker-killed' },
  ])
  expect(faultsOf(experiment())).toEqual([])
})

test('a run broke where any of its faults cost what it must not', () => {
  const withFaults = (...broken: string[][]) =>
    ({ faults: broken.map((each) => ({ broken: each })) }) as unknown as Summary
  expect(broke(withFaults([], ['1 lost']))).toBe(true)
  expect(broke(withFaults([], []))).toBe(false)
  expect(broke({} as Summary)).toBe(false)
})
