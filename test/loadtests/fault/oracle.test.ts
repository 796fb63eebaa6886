import { looksAt } from '../../../loadtests/src/fault/measure-fault.ts'
import { judgeFate, serviceOf, type Executed } from '../../../loadtests/src/fault/oracle.ts'
import type { Traced } from '../../../loadtests/src/load/k6.ts'

const request = (id: string, outcome: Traced['outcome'] = 'accepted', began = 0): Traced => ({
  id,
  began,
  taken: 20,
  outcome,
  status: outcome === 'accepted' ? 200 : 0,
})
const executed = (
  of: string,
  execution: string,
  outcome: Executed['outcome'] = 'finished',
  retry = false,
): Executed => ({
  request: of,
  execution,
  outcome,
  retry,
})

test('a request that was executed once is neither lost nor anything else', () => {
  expect(judgeFate([request('a')], [executed('a', '1')])).toEqual({
    sent: 1,
    accepted: 1,
    refused: 0,
    unanswered: 0,
    once: 1,
    twice: [],
    lost: [],
    failed: [],
    stuck: [],
    unasked: [],
  })
})

test('an accepted request that no execution knows of is lost, and named', () => {
  expect(judgeFate([request('a'), request('b')], [executed('a', '1')]).lost).toEqual([{ request: 'b', executions: [] }])
})

test('one that n8n only told that it is starting is lost, though others left no row', () => {
  const starting = { ...request('a'), starting: true }
  expect(judgeFate([starting, request('b')], [], 1)).toMatchObject({
    lost: [{ request: 'a' }],
    starting: 1,
    unknown: [{ request: 'b' }],
  })
})

test('a request with two executions is named with both, unless one is n8n’s own retry', () => {
  expect(judgeFate([request('a')], [executed('a', '1'), executed('a', '2')]).twice).toEqual([
    { request: 'a', executions: ['1', '2'] },
  ])
  expect(judgeFate([request('a')], [executed('a', '1', 'failed'), executed('a', '2', 'finished', true)])).toMatchObject(
    {
      twice: [],
      failed: [],
      once: 1,
    },
  )
})

test('an execution that is still running or waiting in the end is stuck', () => {
  const fate = judgeFate([request('a'), request('b')], [executed('a', '1', 'open'), executed('b', '2', 'open')])
  expect(fate.stuck.map(({ executions }) => executions[0])).toEqual(['1', '2'])
})

test('an execution that ended with its process is named, and not lost', () => {
  expect(judgeFate([request('a')], [executed('a', '7', 'crashed')])).toMatchObject({
    lost: [],
    failed: [{ request: 'a', executions: ['7'] }],
    once: 0,
  })
})

test('a request that was refused and executed is told: its caller may try again', () => {
  expect(judgeFate([request('a', 'refused'), request('b', 'unanswered')], [executed('a', '1')])).toMatchObject({
    refused: 1,
    unanswered: 1,
    unasked: [{ request: 'a', executions: ['1'] }],
  })
})

test('an accepted request has the execution whose data n8n has replaced, before a nearer one without answer', () => {
  const orphan = { ...executed('', '2', 'failed'), request: null }
  const requests = [request('a'), request('b', 'unanswered', 100), request('c', 'accepted', 1200)]
  expect(judgeFate(requests, [executed('a', '1'), orphan])).toMatchObject({ lost: [], unasked: [] })
})

test('an execution whose data n8n has replaced is that of a request without an execution', () => {
  const orphan = { ...executed('', '9', 'failed'), request: null }
  const fate = judgeFate([request('a', 'accepted', 1), request('b', 'accepted', 2)], [executed('a', '1'), orphan])
  expect(fate).toMatchObject({ lost: [], failed: [{ request: 'b', executions: ['9'] }] })
})

test('where n8n has replaced the data of all, each may be that of an accepted request', () => {
  const orphan = { ...executed('', '1', 'failed'), request: null }
  expect(judgeFate([request('a', 'unanswered', 9000), request('b', 'accepted', 9100)], [orphan]).lost).toEqual([])
})

test('the first execution after a restart is that of an accepted request, and not of one refused meanwhile', () => {
  const orphan = { ...executed('', '2', 'unknown'), request: null }
  const requests = [
    request('a'),
    { ...request('b', 'refused', 8000), status: 404 },
    request('c', 'accepted', 15_900),
    request('d', 'accepted', 16_000),
  ]
  expect(judgeFate(requests, [executed('a', '1'), orphan, executed('d', '3')])).toMatchObject({
    lost: [],
    unknown: [{ request: 'c', executions: ['2'] }],
  })
})

test('nor is it given to a lost request, where the caller of another was refused at that time', () => {
  const orphan = { ...executed('', '2', 'failed'), request: null }
  const requests = [
    request('a', 'accepted', 1000),
    request('b', 'unanswered', 1100),
    request('c', 'accepted', 1200),
    request('d', 'accepted', 9000),
  ]
  expect(judgeFate(requests, [executed('a', '1'), orphan, executed('c', '3')])).toMatchObject({
    lost: [{ request: 'd' }],
    unasked: [{ request: 'b', executions: ['2'] }],
  })
})

describe('service', () => {
  /** Ten requests a second for a minute and a half; `bad` says which are not accepted. */
  const load = (bad: (second: number) => boolean, taken: (second: number) => number = () => 20) =>
    Array.from({ length: 900 }, (_, index) => {
      const began = 1_000_000 + 100 * index
      const second = Math.floor(index / 10)
      return { ...request(String(index), bad(second) ? 'refused' : 'accepted', began), taken: taken(second) }
    })
  const at = (second: number) => 1_000_000 + 1000 * second

  test('is never gone where every request is accepted as fast as before', () => {
    expect(
      serviceOf(
        load(() => false),
        at(20),
        at(30),
      ),
    ).toMatchObject({ back: 0, gap: expect.closeTo(0.1) })
  })

  test('is back with the first second from which all goes well', () => {
    const service = serviceOf(
      load((second) => second >= 20 && second < 42),
      at(20),
      at(30),
    )
    expect(service.gap).toBeCloseTo(22.1, 1)
    expect(service.back).toBe(12)
  })

  test('is not back while answers are slow', () => {
    expect(
      serviceOf(
        load(
          () => false,
          (second) => (second >= 25 && second < 50 ? 2000 : 20),
        ),
        at(20),
        at(30),
      ).back,
    ).toBe(20)
  })

  test('has a p99 of the requests during the fault alone', () => {
    const service = serviceOf(
      load(
        () => false,
        (second) => (second >= 20 && second < 30 ? 700 : 20),
      ),
      at(20),
      at(30),
    )
    expect(service.p99).toBe(700)
  })

  test('that never comes back is not called so', () => {
    expect(
      serviceOf(
        load((second) => second >= 20),
        at(20),
        at(30),
      ).back,
    ).toBeNull()
  })
})

test('a load may have more requests than a function has arguments', () => {
  const requests = Array.from({ length: 500_000 }, (_, index) => request(`r-${index}`, 'accepted', index / 1000))
  expect(serviceOf(requests, 50, 100)).toMatchObject({ slowest: 0.02 })
  expect(looksAt(requests)).toMatchObject([{ accepted: 500_000 }])
  const all = requests.slice(1).map(({ id }, index) => executed(id, String(index)))
  expect(judgeFate(requests, all)).toMatchObject({ once: 499_999, lost: [{ request: 'r-0', executions: [] }] })
})
