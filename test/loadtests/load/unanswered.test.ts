import { uncounted } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { drive } from '../fixtures/k6.ts'

/** Of a hundred callers three wait for too long, and five get no answer in time. */
test('callers who gave up waiting are late: with the slow ones they break p95, though few of each', async () => {
  const load = await drive((request) => (request % 20 === 0 ? 'hang' : { after: request % 100 < 3 ? 700 : 5 }), {
    shape: { kind: 'constant', rate: 100 },
    duration: 12,
    timeout: 2,
  })
  expect(load.failures.timeout! / load.requests).toBeCloseTo(0.05, 2)
  const verdict = judge(
    { load, accounting: uncounted(load.accepted), exits: [], limitOf: () => null, untuned: false },
    { p95: 500, errors: 0.1, backlog: 0.05 },
  )
  expect(verdict.holds).toBe(false)
  expect(verdict.reasons.map(({ code }) => code)).toEqual(['latency'])
})
