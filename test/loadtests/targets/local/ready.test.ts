import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import type { RunningContainer } from '../../../../loadtests/src/targets/local/container.ts'
import { machineNetwork } from '../../../../loadtests/src/targets/local/network.ts'
import type { LocalPod } from '../../../../loadtests/src/targets/local/pod.ts'
import { podReady, webhookReadyHere, type Started } from '../../../../loadtests/src/targets/local/ready.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { startService, type Answer, type Service } from '../../../support/service.ts'
import type { Exit } from '../../../../loadtests/src/model/event.ts'

const services: Service[] = []
afterAll(() => Promise.all(services.map((service) => service.close())))

const alive: RunningContainer = {
  restarts: () => 0,
  lastExit: () => null,
  lastLines: () => ['Access to the file is not allowed.'],
  pids: async () => [],
  leader: () => undefined,
  inject: async () => async () => {},
  stop: async () => {},
}

/** Restarted once more every time it is asked about. */
function failing(exit: Partial<Exit>): RunningContainer {
  let restarts = 0
  return {
    ...alive,
    restarts: () => restarts++,
    lastExit: () => ({ reason: 'crashed', code: 1, signal: null, log: ['no database'], ...exit }),
  }
}

/** Waits for one pod whose probe and webhook answer as given. */
async function waiting(
  answer: (request: number) => Answer,
  container = alive,
  signal = new AbortController().signal,
  giveUp?: number,
) {
  const service = await startService(answer)
  services.push(service)
  const pod = {
    name: 'main-0',
    network: machineNetwork,
    ports: new Map([[5678, Number(new URL(service.url).port)]]),
    workload: {
      containers: [{ ports: [{ name: 'http', port: 5678 }], readiness: { path: '/healthz/readiness', port: 'http' } }],
    },
  } as unknown as LocalPod
  const started: Started = { pod, containers: new Map([['main-0', container]]), inside: () => never() }
  await podReady(started, signal)
  const webhook = { method: 'POST', path: '/webhook/orders' }
  const answered = await webhookReadyHere(webhook, service.url.slice(0, -1), started, signal, giveUp)
  return { requests: service.requests, answered }
}

/** Waits for one pod that is asked by a command, given as the shell's. */
async function asking(
  script: string,
  container = alive,
  env: Record<string, string> = { PATH: '/usr/bin:/bin' },
): Promise<void> {
  const pod = {
    name: 'redis-0',
    workload: { containers: [{ readiness: { command: ['sh', '-c', script] } }] },
  } as unknown as LocalPod
  await podReady(
    { pod, containers: new Map([['redis-0', container]]), inside: (argv) => ({ argv, env, cwd: '/' }) },
    new AbortController().signal,
  )
}

const never = () => {
  throw new Error('Expected nothing to be run')
}

test('a plan is ready when its probe says so and its webhook answers with success', async () => {
  const { requests } = await waiting(() => ({}))
  expect(requests).toEqual(['GET /healthz/readiness', 'POST /webhook/orders'])
})

test('a webhook that answers is there: an answer that is not success is handed on at once', async () => {
  const { requests, answered } = await waiting((request) => (request === 1 ? {} : { status: 422, body: 'No email' }))
  expect(requests).toEqual(['GET /healthz/readiness', 'POST /webhook/orders'])
  expect(answered).toEqual({ status: 422, text: 'No email' })
})

test('so is that of a workflow that failed, as n8n words it', async () => {
  const failed = { status: 500, body: '{"message":"Error in workflow"}' }
  const { requests, answered } = await waiting((request) => (request === 1 ? {} : failed))
  expect(requests).toHaveLength(2)
  expect(answered).toEqual({ status: 500, text: failed.body })
})

test('an n8n that fails otherwise is asked again for a while', async () => {
  const answer = (request: number) => ({ status: request === 1 ? 200 : 500, body: 'No database' })
  const { requests, answered } = await waiting(answer, alive, new AbortController().signal, 50)
  expect(requests.length).toBeGreaterThan(2)
  expect(answered).toEqual({ status: 500, text: 'No database' })
})

test('it is not before: a probe may refuse for a while, and a webhook be unknown for longer', async () => {
  const answers: Answer[] = [
    { status: 503 },
    'reset',
    { status: 200 },
    { status: 404, body: 'The requested webhook "POST orders" is not registered.' },
    { status: 500 },
    { status: 204 },
  ]
  const { requests } = await waiting((request) => answers[request - 1]!)
  expect(requests).toEqual([...Array(3).fill('GET /healthz/readiness'), ...Array(3).fill('POST /webhook/orders')])
})

test.each<[string, Partial<Exit>, string, RegExp]>([
  [
    'was killed for memory',
    { reason: 'oom-killed', signal: 'SIGKILL' },
    'it was killed for memory while starting',
    /main\.resources\.limits\.memory/,
  ],
  ['ran out of heap', { reason: 'heap-exhausted' }, 'it ran out of heap while starting', /main\.heap/],
  ['ended by itself', { code: 78 }, 'it ended with exit code 78 while starting', /log/],
  ['was ended by a signal', { code: null, signal: 'SIGSEGV' }, 'it ended by SIGSEGV while starting', /log/],
  [
    'found its port taken',
    { log: ['Error: listen EADDRINUSE: address already in use'] },
    'it ended with exit code 1 while starting',
    /port/,
  ],
])('one that %s again and again will not become ready, and says why', async (_, exit, because, fix) => {
  const refusal = await refusalOf(() => waiting(() => ({ status: 503 }), failing(exit)))
  expect(refusal.message).toBe(`Expected main-0 to become ready, but ${because}.`)
  expect(refusal).toMatchObject({
    code: 'never-ready',
    exit: exitCodes.invalid,
    hint: expect.stringMatching(fix),
    log: exit.log ?? ['no database'],
  })
})

test('one that died long ago and lives again is waited for', async () => {
  const recovered = {
    ...alive,
    restarts: () => 3,
    lastExit: () => ({ reason: 'oom-killed' as const, code: null, signal: 'SIGKILL', log: [] }),
  }
  expect((await waiting(() => ({}), recovered)).requests).toHaveLength(2)
})

test('nobody waits after an interruption', async () => {
  const abort = new AbortController()
  await expect(waiting(() => (abort.abort(), { status: 503 }), alive, abort.signal)).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a pod that is asked by a command is ready when it ends well, in the container’s own environment', async () => {
  await asking('[ "$MOOD" = fine ]', alive, { PATH: '/usr/bin:/bin', MOOD: 'fine' })
})

test('one whose command never ends well is not ready, and the command is named', async () => {
  const refusal = await refusalOf(() => asking('exit 1', failing({ code: 7 })))
  expect(refusal.message).toBe('Expected redis-0 to become ready, but it ended with exit code 7 while starting.')
})
