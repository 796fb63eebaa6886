import { unsteadyBy } from '../../../loadtests/src/judge/pace.ts'

test('a machine that was looked at once, or kept its pace, is steady', () => {
  expect([[], [2607], [2607, 2500, 2690]].map(unsteadyBy)).toEqual([null, null, null])
})

test('one that did not lies as far apart as its looks', () => {
  expect(unsteadyBy([2760, 2220, 2600])).toBeCloseTo(0.21, 2)
})
