import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/errors.ts'
import { driveStep, type DriveOptions } from '../../../loadtests/src/load/k6.ts'
import { processGenerator, type Means } from '../../../loadtests/src/load/process.ts'
import type { LoadResult } from '../../../loadtests/src/load/result.ts'
import type { LoadStep } from '../../../loadtests/src/load/step.ts'
import { until } from '../../../loadtests/src/support/await.ts'
import { freePorts } from '../../../loadtests/src/support/ports.ts'
import { groupMembers } from '../../../loadtests/src/support/processes.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

/** The real k6 and the real scenarios, against a service whose behaviour is known. */

const services: Service[] = []
const folder = mkdtempSync(join(tmpdir(), 'k6-test-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await Promise.all(services.map((service) => service.close()))
})

type Given = Partial<Means & DriveOptions>
const options = ({ onCores = (argv) => argv, cores = 1, track = () => {}, ...given }: Given = {}): DriveOptions => ({
  generator: processGenerator({ onCores, cores, track }),
  p95: 500,
  signal: new AbortController().signal,
  ...given,
})
const toUrl = (url: string, step: Partial<LoadStep>, given?: Given): Promise<LoadResult> =>
  driveStep(
    { url, method: 'GET', timeout: 5, duration: 1, shape: { kind: 'constant', rate: 50 }, ...step },
    options(given),
  )

async function started(answer: (request: number) => Answer, order?: 'one at a time'): Promise<Service> {
  const service = await startService(answer, order)
  services.push(service)
  return service
}

async function drive(
  answer: (request: number) => Answer,
  step: Partial<LoadStep> = {},
  given?: Given,
  order?: 'one at a time',
): Promise<LoadResult & { service: Service }> {
  const service = await started(answer, order)
  return { ...(await toUrl(service.url, step, given)), service }
}

/** All in one block, since jest runs together what is in one. */
const together = test.concurrent

together('a constant step sends its requests on schedule, whatever the answers take', async () => {
  const load = await drive(() => ({ after: 200 }), { shape: { kind: 'constant', rate: 40 } })
  expect(load).toMatchObject({ shape: 'constant', rate: 40, vus: null, failures: {}, accepted: load.requests })
  expect(load.requests).toBeGreaterThan(30)
  expect(load.requests).toBeLessThanOrEqual(41)
  expect(load.latency!.p50).toBeGreaterThan(190)
})

together('a scattered step sends as many, each at a moment of its own', async () => {
  const arrived: number[] = []
  const { requests } = await drive(() => (arrived.push(Date.now()), {}), {
    duration: 3,
    shape: { kind: 'constant', rate: 20 },
    scattered: true,
  })
  expect(Math.abs(requests - 60)).toBeLessThanOrEqual(4)
  const gaps = arrived.slice(1).map((at, index) => at - arrived[index]!)
  expect(gaps.filter((gap) => gap < 40 || gap > 60).length).toBeGreaterThan(15)
})

together('a constant step keeps a rate below one a second', async () => {
  const { requests } = await drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 0.6 } })
  expect(requests).toBeGreaterThanOrEqual(1)
  expect(requests).toBeLessThanOrEqual(2)
})

together('a constant step drops what it cannot send while all its clients wait for a service that hangs', async () => {
  const load = await drive(
    () => 'hang',
    { timeout: 1.5, duration: 2, shape: { kind: 'constant', rate: 150 } },
    { p95: 100 },
  )
  expect(load).toMatchObject({ accepted: 0, latency: null, failures: { timeout: load.requests } })
  expect(load.dropped).toBeGreaterThan(20)
  expect(load.requests).toBeLessThan(280)
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
  expect(load).toMatchObject({ accepted: 0, failures: { refused: load.requests }, latency: null })
  expect(load.requests).toBeGreaterThan(0)
})

const long = { duration: 60, timeout: 60 }

together('a step that ends early keeps what was counted until then', async () => {
  const service = await started(() => ({}))
  // Behind the two seconds in which the connections open, so that there are latencies too.
  const load = await toUrl(service.url, long, { endEarly: () => service.requests.length >= 150 })
  expect(load.accepted).toBeGreaterThanOrEqual(150)
  expect(load.latency!.p95).toBeGreaterThan(0)
  expect(load.failures).toEqual({})
})

together('a step that ends early does not wait for answers that will not come', async () => {
  const service = await started(() => 'hang')
  const load = await toUrl(service.url, long, { endEarly: () => service.requests.length >= 20 })
  expect(load).toMatchObject({ accepted: 0, latency: null })
})

const course = (stages: { rate: number; seconds: number }[], from: number, waiting = 0) =>
  ({ kind: 'course', from, stages, waiting }) as const

together('a ramp sends more and more', async () => {
  const arrived: number[] = []
  const load = await drive(() => (arrived.push(Date.now()), {}), {
    duration: 3,
    shape: course([{ rate: 60, seconds: 3 }], 2),
  })
  expect(load).toMatchObject({ shape: 'course', rate: 60, vus: null, failures: {}, accepted: load.requests })
  const middle = (arrived[0]! + arrived.at(-1)!) / 2
  expect(arrived.filter((at) => at > middle).length).toBeGreaterThan(1.8 * arrived.filter((at) => at <= middle).length)
})

together('a spike sends most in its middle', async () => {
  const arrived: number[] = []
  await drive(() => (arrived.push(Date.now()), {}), {
    duration: 3,
    shape: course(
      [
        { rate: 5, seconds: 1 },
        { rate: 80, seconds: 0 },
        { rate: 80, seconds: 1 },
        { rate: 5, seconds: 0 },
        { rate: 5, seconds: 1 },
      ],
      5,
    ),
  })
  const middle = (arrived[0]! + arrived.at(-1)!) / 2
  const inTheMiddle = arrived.filter((at) => Math.abs(at - middle) < 750).length
  expect(inTheMiddle).toBeGreaterThan(2 * (arrived.length - inTheMiddle))
})

together('a mix calls each workflow as often as its weight says, at any moment, and tells them apart', async () => {
  const service = await startService((request) => ({
    status: service.requests[request - 1] === 'POST /third' ? 500 : 200,
  }))
  services.push(service)
  const mix = [
    { workflow: 'first', weight: 3 },
    { workflow: 'second', weight: 1 },
    { workflow: 'third', weight: 1 },
  ].map((part) => ({
    ...part,
    id: part.workflow,
    url: service.url + part.workflow,
    method: part.workflow === 'third' ? 'POST' : 'GET',
  }))
  const load = await toUrl(service.url, { mix, duration: 2, shape: { kind: 'constant', rate: 50 } })
  const called = (requests: string[], request: string) => requests.filter((one) => one === request).length
  for (const requests of [service.requests.slice(0, 40), service.requests]) {
    expect(Math.abs(called(requests, 'GET /first') - 0.6 * requests.length)).toBeLessThanOrEqual(2)
    expect(Math.abs(called(requests, 'POST /third') - 0.2 * requests.length)).toBeLessThanOrEqual(2)
  }
  expect(load.parts).toMatchObject([
    {
      workflow: 'first',
      accepted: called(service.requests, 'GET /first'),
      failed: 0,
      latency: { p95: expect.any(Number) },
    },
    { workflow: 'second', accepted: called(service.requests, 'GET /second'), failed: 0 },
    { workflow: 'third', accepted: 0, failed: called(service.requests, 'POST /third'), latency: null },
  ])
  expect(load.accepted).toBe(load.parts![0]!.accepted + load.parts![1]!.accepted)
})

together('a herd comes at once, while others come on their schedule', async () => {
  const load = await drive(() => ({ after: 50 }), { duration: 2, shape: course([{ rate: 10, seconds: 2 }], 10, 40) })
  expect(load.requests).toBeGreaterThanOrEqual(40 + 17)
  expect(load.requests).toBeLessThanOrEqual(40 + 21)
})

together('a step that may give up ends when it cannot hold any more, and keeps what was counted', async () => {
  const load = await drive(
    () => ({ after: 300 }),
    { duration: 60, shape: { kind: 'constant', rate: 20 } },
    { giveUp: true, p95: 100 },
  )
  expect(load.endedAt - load.startedAt).toBeLessThan(20_000)
  expect(load.accepted).toBeGreaterThan(54)
  expect(load.latency!.p95).toBeGreaterThan(290)
  expect(load.throughput).toBeGreaterThan(10)
})

together('a step that may give up goes on while its answers come in time', async () => {
  const load = await drive(() => ({}), { duration: 3, shape: { kind: 'constant', rate: 20 } }, { giveUp: true })
  expect(load.requests).toBeGreaterThan(55)
})

together('answers of the first tenth, in which the connections open, do not count for latency', async () => {
  const load = await drive((request) => ({ after: request <= 5 ? 4000 : 0 }), {
    duration: 5,
    shape: { kind: 'constant', rate: 20 },
  })
  expect(load.accepted).toBeGreaterThan(95)
  expect(load.latency!.max).toBeLessThan(4000)
})

together('a step is not asked to end before k6 can hear it', async () => {
  const deafFirst =
    `sleep 0.4; trap 'echo "{\\"state\\":{\\"testRunDurationMs\\":1},\\"metrics\\":{}}" > `
    + `$SUMMARY; exit 105' INT; while :; do sleep 0.1; done`
  const step = toUrl('http://127.0.0.1:1/', long, { endEarly: () => true, onCores: () => ['sh', '-c', deafFirst] })
  await expect(step).resolves.toMatchObject({ requests: 0 })
})

together('a step is asked to end once: asked again, k6 would go without its summary', async () => {
  const listens = join(folder, 'listens')
  const slowToEnd = `process.once('SIGINT', () => {
    process.on('SIGINT', () => process.exit(105))
    setTimeout(() => process.exit(require('fs').writeFileSync(process.env.SUMMARY, '{"state":{"testRunDurationMs":1},"metrics":{}}') ?? 105), 700)
  })
  require('fs').writeFileSync(process.argv[1], '')
  setInterval(() => {}, 1000)`
  const step = toUrl('http://127.0.0.1:1/', long, {
    endEarly: () => existsSync(listens),
    onCores: () => [process.execPath, '-e', slowToEnd, listens],
  })
  await expect(step).resolves.toMatchObject({ requests: 0 })
})

together('a step that is aborted keeps nothing and leaves no k6', async () => {
  const abort = new AbortController()
  const service = await started(() => 'hang')
  let group = 0
  const step = toUrl(service.url, long, { signal: abort.signal, track: (pid) => (group = pid) })
  await until(async () => service.requests.length > 0, { timeout: 20_000, every: 10 })
  expect(await groupMembers(group)).toEqual([group])
  abort.abort()
  await expect(step).rejects.toMatchObject({ name: 'AbortError' })
  expect(await groupMembers(group)).toEqual([])
})

together('the generator tells how much of its own cores it used', async () => {
  const [little, much] = await Promise.all([
    drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 20 } }),
    drive(() => ({}), { duration: 2, shape: { kind: 'closed', vus: 16 } }),
  ])
  expect(much.generatorCpu).toBeGreaterThan(2 * little.generatorCpu!)
  expect(little.generatorCpu).toBeGreaterThan(0)
  expect(much.generatorCpu).toBeLessThan(2)
})

together.each([
  ['fails', ['sh', '-c', 'echo no idea what that is >&2; exit 107'], 'exit code 107', ['no idea what that is']],
  ['says that it was stopped, and counted nothing', ['sh', '-c', 'exit 105'], 'exit code 105', []],
  ['is killed', ['sh', '-c', 'kill -9 $$'], 'SIGKILL', []],
  ['is not there', ['/nowhere/k6'], 'no start', []],
])('the generator that %s makes the measurement invalid, and its last words are kept', async (_, argv, how, log) => {
  const refusal = await refusalOf(() => toUrl('http://127.0.0.1:1/', {}, { onCores: () => argv }))
  expect(refusal).toMatchObject({ code: 'generator-failed', exit: exitCodes.invalid, log })
  expect(refusal.message).toBe(`Expected k6 to finish its step, but it ended with ${how}.`)
})
