import type { Summary } from '../../../loadtests/src/analyse/summary.ts'
import { broke, faultsOf, refuseElsewhere } from '../../../loadtests/src/cli/faults.ts'
import { parseFault } from '../../../loadtests/src/shared/faults.ts'
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

test.each([
  ['redis-frozen', 'kubernetes', 'needs one machine'],
  ['drained', 'local', 'needs a cluster'],
  ['upgraded=2.41.1', 'local', 'needs a cluster'],
  ['worker-killed', new URL('https://n8n.example.com'), 'an n8n that the lab starts'],
] as const)('%s is refused on %s before anything starts', (name, target, said) => {
  expect(() => refuseElsewhere([parseFault(name)!], target)).toThrow(said)
})

test('a fault that can be done on both targets is refused on neither', () => {
  const fault = parseFault('redis-paused')!
  for (const target of ['local', 'kubernetes'] as const) expect(() => refuseElsewhere([fault], target)).not.toThrow()
})
