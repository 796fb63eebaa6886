import { aboveOf } from '../../../loadtests/src/model/distribution.ts'
import { requestsDue } from '../../../loadtests/scenarios/schedule.ts'
import { freePorts } from '../../../loadtests/src/lib/ports.ts'
import type { Answer } from '../../support/service.ts'
import { toUrl, started, drive, together, long } from '../fixtures/k6.ts'

together('a constant step sends as many requests as its rate asks for, whatever the answers take', async () => {
  const load = await drive(() => ({ after: 200 }), { shape: { kind: 'constant', rate: 40 } })
  expect(load).toMatchObject({ shape: 'constant', rate: 40, vus: null, failures: {}, requests: 40, accepted: 40 })
  expect(load.latency!.p50).toBeGreaterThan(190)
})

together('requests arrive at random: many close together, some after a long pause', async () => {
  const arrived: number[] = []
  await drive(() => (arrived.push(Date.now()), {}), { duration: 5, shape: { kind: 'constant', rate: 6 } })
  expect(arrived).toHaveLength(30)
  const gaps = arrived.slice(1).map((at, index) => ((at - arrived[index]!) * 6) / 1000)
  expect(gaps.filter((gap) => gap < 0.5).length).toBeGreaterThan(6)
  expect(Math.max(...gaps)).toBeGreaterThan(2)
})

together('what a step writes down gives the moment of each of its requests again', async () => {
  const arrived: number[] = []
  const rate = 30
  const load = await drive(() => (arrived.push(Date.now()), {}), {
    duration: 4,
    seed: 7,
    shape: { kind: 'constant', rate },
  })
  const { seed, senders: of } = load as { seed: number; senders: number }
  /** How far apart requests came after the moments that a seed gives. */
  const spreadOf = (seed: number) => {
    const schedule = { from: rate, stages: [{ rate, seconds: 4 }], arrivals: 'random' as const, seed }
    const due = Array.from({ length: of }, (_, index) => [...requestsDue(schedule, { index, of })]).flat()
    const moments = due.map(({ second }) => second * 1000).sort((a, b) => a - b)
    const off = moments.map((moment, nth) => arrived[nth]! - moment).sort((a, b) => a - b)
    return off[100]! - off[20]!
  }
  expect(spreadOf(seed)).toBeLessThan(Math.min(...[1, 2, 3].map(spreadOf)))
})

together('a constant step keeps a rate below one a second', async () => {
  const { requests } = await drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 0.6 } })
  expect(requests).toBe(1)
})

/** A request under way takes 64 KiB of the generator. */
const memoryFor = (requests: number) => requests * 64 * 2 ** 10

together('a request that finds no client for as long as a caller waits counts as failed and late', async () => {
  const load = await drive(
    () => 'hang',
    { timeout: 1.5, duration: 5, shape: { kind: 'constant', rate: 150 } },
    { p95: 100, memory: memoryFor(160) },
  )
  expect(load).toMatchObject({ accepted: 0, requests: 750, dropped: load.failures.unsent })
  expect(load.failures.timeout! + load.failures.unsent!).toBe(750)
  expect(load.dropped).toBeGreaterThan(20)
  expect(load.latency!.p50).toBeGreaterThanOrEqual(1500)
})

together('a request waits from the moment when it was due, also while no client is free to send it', async () => {
  // At most 160 are under way, and a service that answers nothing in its first three seconds: 600 requests become due.
  let begun = 0
  const load = await drive(
    () => ({ after: Math.max(0, 3000 - (Date.now() - (begun ||= Date.now()))) }),
    { duration: 5, timeout: 30, shape: { kind: 'constant', rate: 150 }, arrivals: 'even' },
    { p95: 100, memory: memoryFor(160) },
  )
  expect(load).toMatchObject({ accepted: 750, failures: {} })
  const { late, of } = aboveOf(load.distribution!, 1000)
  expect(of).toBe(675) // without those of the first half second
  expect(late).toBeGreaterThan(200) // due between 0.5 and 2 s
})

together(
  'a closed step sends its next request when the last was answered, so it goes as far as the capacity and no further',
  async () => {
    const load = await drive(() => ({ after: 20 }), { shape: { kind: 'closed', vus: 4 } }, {}, 'one at a time')
    expect(load).toMatchObject({ shape: 'closed', rate: null, vus: 4, dropped: 0 })
    expect(load.throughput).toBeLessThan(60)
    expect(load.latency!.p50).toBeGreaterThan(60)
    // All four wait for an answer at any moment, however slow the machine is.
    expect((load.throughput * load.latency!.p50) / 1000).toBeGreaterThan(2)
  },
)

together('requests are sent as the workflow wants them', async () => {
  const { service } = await drive(() => ({}), { method: 'POST' })
  expect(new Set(service.requests)).toEqual(new Set(['POST /']))
})

together('callers who come seldom open a connection each, and never meet one that n8n closes as idle', async () => {
  const { service, requests } = await drive(() => ({}), { duration: 3, shape: { kind: 'constant', rate: 5 } })
  expect(service.connections()).toBe(requests)
})

together('more frequent requests share connections', async () => {
  const { service, requests } = await drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 100 } })
  expect(service.connections()).toBeLessThan(requests / 2)
})

together('requests are accepted with any success, and count as failed by what came back instead', async () => {
  const answers: Answer[] = [
    { status: 200 },
    { status: 204 },
    { status: 302 },
    { status: 404 },
    { status: 500 },
    { status: 503 },
    'reset',
    'hang',
  ]
  // Go sends a GET again, without a word, when its kept connection breaks before the answer.
  const load = await drive((request) => answers[(request - 1) % answers.length]!, {
    method: 'POST',
    timeout: 0.4,
    duration: 1.5,
    shape: { kind: 'closed', vus: 1 },
  })
  const { status_3xx: redirected, status_4xx: refused, status_5xx: failed, timeout, reset, ...others } = load.failures
  expect(others).toEqual({})
  for (const count of [redirected, refused, timeout, reset]) expect(count).toBeGreaterThan(0)
  expect(failed).toBeGreaterThan(redirected!)
  expect(load.accepted).toBeGreaterThan(redirected!)
  expect(load.accepted + redirected! + refused! + failed! + timeout! + reset!).toBe(load.requests)
})

together('requests are refused where nobody listens', async () => {
  const [port] = await freePorts(1)
  const load = await toUrl(`http://127.0.0.1:${port}/`, {})
  expect(load).toMatchObject({ accepted: 0, failures: { refused: 50 } })
  // Their callers had no answer, however soon they knew.
  expect(load.latency!.p50).toBe(5000)
})

together('a step that ends early keeps what was counted until then', async () => {
  const service = await started(() => ({}))
  // Behind the two seconds in which the connections open, so that there are latencies too.
  const load = await toUrl(service.url, long, { endEarly: () => service.requests.length >= 150 })
  // The last requests may still be under way.
  expect(load.accepted).toBeGreaterThan(130)
  expect(load.latency!.p95).toBeGreaterThan(0)
  expect(load.failures).toEqual({})
})

together('a step that ends early does not wait for answers that will not come', async () => {
  const service = await started(() => 'hang')
  const load = await toUrl(service.url, long, { endEarly: () => service.requests.length >= 20 })
  expect(load).toMatchObject({ accepted: 0, latency: null })
})
