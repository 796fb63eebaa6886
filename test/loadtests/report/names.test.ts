import { namesOf } from '../../../loadtests/src/report/names.ts'

test('a variant is its name', () => {
  const tuned = { variant: 'tuned', cell: {} }
  expect(namesOf([tuned])(tuned)).toBe('tuned')
})

test('in a matrix of one variant the settings are the name, without their paths', () => {
  const one = { variant: 'tuned', cell: { 'main.resources.limits.cpu': '500m', 'main.replicas': 2 } }
  expect(namesOf([one])(one)).toBe('cpu 500m, replicas 2')
})

test('settings that end alike keep their paths', () => {
  const one = { variant: 'tuned', cell: { 'main.replicas': 1, 'worker.replicas': 2 } }
  expect(namesOf([one])(one)).toBe('main.replicas 1, worker.replicas 2')
})

test('with several variants the name begins with the variant', () => {
  const results = ['a', 'b'].map((variant) => ({ variant, cell: { 'main.replicas': 1 } }))
  expect(namesOf(results)(results[1])).toBe('b: replicas 1')
})
