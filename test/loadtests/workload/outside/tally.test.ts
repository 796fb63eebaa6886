import { openCallTally } from '../../../../loadtests/src/workload/outside/tally.ts'

const asked = (path: string, host = 'api.example.com') => ({ method: 'GET', host, path })

test('calls of one kind count together, with what n8n waited for them', () => {
  const tally = openCallTally()
  for (let id = 1; id <= 100; id++) tally.add(asked(`/orders/${id}`), 'answered', id)
  tally.add(asked('/users'), 'refused', 1)
  expect(tally.calls()).toEqual([
    {
      host: 'api.example.com',
      method: 'GET',
      path: '/orders/*',
      outcome: 'answered',
      count: 100,
      waited: { mean: 50.5, p50: 51, p95: 96 },
    },
    {
      host: 'api.example.com',
      method: 'GET',
      path: '/users',
      outcome: 'refused',
      count: 1,
      waited: { mean: 1, p50: 1, p95: 1 },
    },
  ])
})

test('a host that changes with each call does not fill the memory', () => {
  const tally = openCallTally()
  for (let index = 0; index < 10_000; index++) tally.add(asked('/', `h${index}.example.com`), 'refused', 1)
  const calls = tally.calls()
  expect(calls.length).toBeLessThanOrEqual(501)
  expect(calls[0]).toMatchObject({ host: '(other hosts)', count: 9500 })
})

test('waits of a long run are sampled over all of it', () => {
  const tally = openCallTally()
  for (let index = 0; index < 40_000; index++) tally.add(asked('/'), 'answered', index < 20_000 ? 10 : 20)
  const { p50, p95 } = tally.calls()[0]!.waited
  expect([10, 20]).toContain(p50)
  expect(p95).toBe(20)
})
