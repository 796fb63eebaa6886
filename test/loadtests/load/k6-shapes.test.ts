import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { until } from '../../../loadtests/src/lib/await.ts'
import { groupMembers } from '../../../loadtests/src/lib/processes.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startService } from '../../support/service.ts'
import { services, folder, toUrl, started, drive, together, long } from '../fixtures/k6.ts'

const course = (stages: { rate: number; seconds: number }[], from: number, waiting = 0) =>
  ({ kind: 'course', from, stages, waiting }) as const

together('a ramp sends more and more', async () => {
  const arrived: number[] = []
  const load = await drive(() => (arrived.push(Date.now()), {}), {
    duration: 3,
    shape: course([{ rate: 60, seconds: 3 }], 2),
  })
  expect(load).toMatchObject({ shape: 'course', rate: 60, vus: null, failures: {}, accepted: load.requests })
  // On a busy machine the first arrive late and together, so only the last second is looked at: it has 51 of 93.
  const inTheLastSecond = arrived.filter((at) => at > arrived.at(-1)! - 1000).length
  expect(inTheLastSecond).toBeGreaterThan((1.3 * arrived.length) / 3)
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
  // On a busy machine the first and the last arrive late, so the spike is looked for and not its time.
  const within = (from: number) => arrived.filter((at) => at >= from && at < from + 1500).length
  const spike = arrived.reduce((best, at) => (within(at) > within(best) ? at : best))
  expect(within(spike)).toBeGreaterThan(arrived.length - within(spike))
  expect(spike).toBeGreaterThan(arrived[0]!)
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
    { workflow: 'third', accepted: 0, failed: called(service.requests, 'POST /third'), latency: { p50: 5000 } },
  ])
  expect(load.accepted).toBe(load.parts![0]!.accepted + load.parts![1]!.accepted)
})

together('a herd comes at once, while others come on their schedule', async () => {
  const load = await drive(() => ({ after: 50 }), { duration: 2, shape: course([{ rate: 10, seconds: 2 }], 10, 40) })
  expect(load.requests).toBe(40 + 20)
})

together('a step that may give up ends when it cannot hold any more, and keeps what was counted', async () => {
  const load = await drive(
    () => ({ after: 300 }),
    { duration: 60, shape: { kind: 'constant', rate: 20 } },
    { giveUp: 0.05, p95: 100 },
  )
  expect(load.endedAt - load.startedAt).toBeLessThan(20_000)
  expect(load.accepted).toBeGreaterThan(54)
  expect(load.latency!.p95).toBeGreaterThan(290)
  expect(load.throughput).toBeGreaterThan(10)
})

together('a step that may give up goes on while its answers come in time', async () => {
  const load = await drive(() => ({}), { duration: 3, shape: { kind: 'constant', rate: 20 } }, { giveUp: 0.05 })
  expect(load.requests).toBeGreaterThan(55)
})

together('answers of the first tenth, in which the connections open, do not count for latency', async () => {
  const load = await drive((request) => ({ after: request <= 5 ? 4000 : 0 }), {
    duration: 5,
    shape: { kind: 'constant', rate: 20 },
    arrivals: 'even',
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
    const summary = '{"state":{"testRunDurationMs":1},"metrics":{}}'
    setTimeout(() => process.exit(require('fs').writeFileSync(process.env.SUMMARY, summary) ?? 105), 700)
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
  ['is not there', ['/nowhere/k6'], 'no start', []],
])('the generator that %s makes the measurement invalid, and its last words are kept', async (_, argv, how, log) => {
  const refusal = await refusalOf(() => toUrl('http://127.0.0.1:1/', {}, { onCores: () => argv }))
  expect(refusal).toMatchObject({ code: 'generator-failed', exit: exitCodes.invalid, log })
  expect(refusal.message).toBe(`Expected k6 to finish its step, but it ended with ${how}.`)
})

together('the generator that is killed makes the measurement invalid by a code of its own', async () => {
  const killed = () => toUrl('http://127.0.0.1:1/', {}, { onCores: () => ['sh', '-c', 'kill -9 $$'] })
  expect(await refusalOf(killed)).toMatchObject({ code: 'generator-lost', exit: exitCodes.invalid })
})
