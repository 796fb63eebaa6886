import { brokenBy } from '../../../loadtests/src/fault/oracle.ts'
import type { Fate, ServiceReturn } from '../../../loadtests/src/model/fault.ts'

const fate: Fate = {
  sent: 10,
  accepted: 9,
  refused: 1,
  unanswered: 0,
  once: 8,
  twice: [],
  lost: [],
  failed: [{ request: 'a', executions: ['1'] }],
  stuck: [],
  unasked: [],
}
const service: ServiceReturn = { gap: 3, back: 12, p95: { before: 20, during: 300, after: 21 }, slowest: 4 }

test('a fault whose failures are all named, with service back in time, broke nothing', () => {
  expect(brokenBy(fate, service)).toEqual([])
})

test('what was lost, doubled, stuck or never answered is broken', () => {
  const named = [{ request: 'b', executions: ['2'] }]
  expect(brokenBy({ ...fate, lost: named, twice: named, stuck: named, unanswered: 2 }, service)).toEqual([
    '1 accepted request lost',
    '1 request executed twice',
    '1 execution stuck',
    '2 requests unanswered',
  ])
})

test('a loss says how often n8n answered while it was starting', () => {
  const lost = [{ request: 'b', executions: [] }]
  expect(brokenBy({ ...fate, lost, starting: 1 }, service)).toEqual([
    '1 accepted request lost (1 answered with 200 while n8n was starting)',
  ])
})

test.each([null, 61])('service that is back after %s seconds is broken', (back) => {
  expect(brokenBy(fate, { ...service, back })).toEqual(['service not back within 60 s'])
})
