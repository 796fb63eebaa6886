import { unsteady } from '../../../loadtests/src/judge/pace.ts'

test('a machine that was looked at once, or kept its pace, is not worth a word', () => {
  expect(unsteady([])).toEqual([])
  expect(unsteady([2607])).toEqual([])
  expect(unsteady([2607, 2500, 2690])).toEqual([])
})

test('one that did not is told, with how far figures may lie apart for it', () => {
  expect(unsteady([2760, 2220, 2600])).toEqual([
    'The machine did not keep its pace: a bare Node server on n8n’s cores answered from 2,220/s to 2,760/s '
      + 'over the run. For that reason alone, what was measured at different times may lie 21 % apart.',
  ])
})
