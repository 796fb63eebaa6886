import { readdirSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { render } from '../../loadtests/src/chart/render.ts'
import { findWorkflow } from '../../loadtests/src/workload/open.ts'
import { processGenerator } from '../../loadtests/src/load/process.ts'
import { openExecutions } from '../../loadtests/src/n8n/executions.ts'
import { openQueue } from '../../loadtests/src/n8n/queue.ts'
import { begunBy } from '../../loadtests/src/run/traffic.ts'
import { openCounter } from '../../loadtests/src/run/counter.ts'
import { startSampler } from '../../loadtests/src/run/sampler.ts'
import { Samples } from '../../loadtests/src/model/samples.ts'
import { measureStep } from '../../loadtests/src/run/step.ts'
import { until } from '../../loadtests/src/lib/await.ts'
import { localTarget } from '../../loadtests/src/targets/local/local.ts'
import type { Target } from '../../loadtests/src/targets/target.ts'
import type { Running } from '../../loadtests/src/n8n/running.ts'
import { temporaryFolder } from '../support/temporary.ts'
import type { Values } from '../../loadtests/src/model/experiment.ts'
import type { PlannedStep } from '../../loadtests/src/model/step.ts'
import type { TargetEvent } from '../../loadtests/src/model/event.ts'

/**
 * k6, n8n's metrics, its database and its queue count the same executions, on a real n8n in queue mode with executions
 * of five seconds. Whatever happens to a worker, every accepted request is finished or named as lost. Of regular mode,
 * check.test.ts and company.test.ts say so.
 */

const logs = temporaryFolder()
const signal = new AbortController().signal
const find = (name: string) => findWorkflow(name, { file: '', line: null })
const [workflow, quick] = [await find('wait-5s-webhook'), await find('ping-webhook')]
const generous = { resources: { limits: { cpu: '2', memory: '1Gi' } } }
const measuring: Values = {
  monitoring: { enabled: true },
  loadtest: { enabled: true },
  main: generous,
  worker: { replicas: 2, ...generous },
  webhook: { replicas: 1, ...generous },
  executions: { mode: 'queue' },
  database: { type: 'embedded' },
  // Without it n8n's main now and then calls an execution crashed that is about to be queued.
  tuning: { patches: { confirmCrashes: true } },
}
/** Seconds and requests a second: little enough for a busy machine. */
const load = { duration: 8, rate: 3 }

let target: Target
let running: Running
let exits: TargetEvent[]
let samples: Samples
let steps = 0

beforeAll(async () => {
  target = await localTarget(processGenerator)
  exits = []
  samples = new Samples()
  const onEvent = (event: TargetEvent) => void (event.exit && event.exit.reason !== 'stopped' && exits.push(event))
  running = await target.up(await render(measuring), {
    workflows: [workflow, quick],
    logs,
    signal,
    onEvent,
    onProgress: () => {},
  })
}, 600_000)
afterAll(() => target.close())

/** n8n's Redis, to ask what its processes do. */
function openRedis(): Redis {
  const {
    QUEUE_BULL_REDIS_HOST: host,
    QUEUE_BULL_REDIS_PORT: port,
    QUEUE_BULL_REDIS_PASSWORD: password,
  } = running.settings!
  return new Redis({ host, port: Number(port), password })
}

const patient = { timeout: 60_000, every: 50 }

/** Main, the webhook processor and both workers are there: each listens to the queue from its start. */
async function allListen(redis: Redis): Promise<void> {
  const listeners = async () => Number((await redis.pubsub('NUMSUB', 'bull:jobs:progress'))[1])
  if (!(await until(async () => (await listeners()) === 4, patient)))
    throw new Error(`Expected four processes to listen to the queue within a minute, got ${await listeners()}.`)
}

/** Each of the two workers has a job: it holds a lock with a name of its own. */
async function bothExecute(redis: Redis): Promise<void> {
  const holders = async () => {
    const jobs = await redis.lrange('bull:jobs:active', 0, -1)
    const locks = await Promise.all(jobs.map((job) => redis.get(`bull:jobs:${job}:lock`)))
    return new Set(locks.filter(Boolean)).size
  }
  if (!(await until(async () => (await holders()) === 2, patient)))
    throw new Error('Expected both workers to execute within a minute, they did not.')
}

/** One step, with something that happens once both workers execute. */
async function step(happening?: () => void, mix?: PlannedStep['mix']) {
  const sampler = startSampler(running.processes, (sample) => samples.add(sample))
  const parts = (mix ? [workflow, quick] : [workflow]).map((each) => ({ workflow: each, weight: 1 }))
  const begun = begunBy({ name: 'test', parts }, running.settings, `ntr-${++steps}`)
  const counter = openCounter({
    sampler,
    database: openExecutions(running.settings!),
    queue: openQueue(running.settings!),
    load: begun,
  })
  const { url, duration, rate } = { url: running.url + workflow.webhook.path, ...load }
  const order = {
    load: {
      url,
      method: 'GET',
      ...(mix && { mix }),
      timeout: 10,
      duration,
      shape: { kind: 'constant' as const, rate },
      mark: begun.mark,
    },
    repeat: 1,
    purpose: 'measure' as const,
    endOnExit: false,
  }
  const redis = openRedis()
  await allListen(redis)
  const happened = happening && bothExecute(redis).then(happening)
  const underWay = measureStep(order, {
    running,
    target,
    counter,
    sampled: { samples, queue: [], database: [] },
    exits,
    executing: { slots: null, runner: null, heaps: {} },
    hasCode: false,
    slo: { p95: 10_000, errors: 0, backlog: 1 },
    untuned: false,
    called: begun.called,
    alone: true,
    signal,
  })
  const [measured] = await Promise.all([underWay, happened])
  redis.disconnect()
  sampler.stop()
  await counter.close()
  return measured
}

/** Both workflows at once. */
const both = () =>
  [workflow, quick].map(({ name, id, webhook }) => ({
    workflow: name,
    id,
    url: running.url + webhook.path,
    method: webhook.method,
    weight: 1,
  }))

/** The schedule may begin and end with a request. */
const asked = [load.duration * load.rate, load.duration * load.rate + 1]
const complete = { failed: 0, waiting: 0, lost: 0, lostExecutions: [] }

const end = (worker: string, name: NodeJS.Signals) => () => process.kill(pidOf(worker), name)

/** The pod's own n8n, of this lab: its runner and other processes are its children. */
function pidOf(pod: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const inPod = pids.filter((pid) => has(pid, 'environ', `/${pod}/`) && has(pid, 'cmdline', 'bin/n8n') && isOurs(pid))
  if (inPod.length !== 1) throw new Error(`Expected one n8n in ${pod}, got ${inPod.length}`)
  return Number(inPod[0])
}

/** Other tests run an n8n too. */
function isOurs(pid: string): boolean {
  if (Number(pid) === process.pid) return true
  const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return parent !== '0' && isOurs(parent)
}

function has(pid: string, file: string, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text)
  } catch {
    return false
  }
}

test('what k6 saw accepted is finished by n8n’s metrics, its database and its queue', async () => {
  const { accounting, times, disagreements } = await step()
  expect(asked).toContain(accounting.accepted)
  expect(accounting).toMatchObject({ ...complete, finished: accounting.accepted })
  expect(disagreements).toEqual([])
  // Of executions of five seconds, with more room for them than there are.
  expect(times!.ran.p50).toBeGreaterThan(4900)
  expect(times!.waited.p50).toBeLessThan(times!.ran.p50 / 2)
}, 300_000)

test('of a mix each workflow finished what was accepted of it', async () => {
  const { load: asking, parts } = await step(undefined, both())
  expect(parts).toEqual(asking.parts!.map(({ workflow: name, accepted }) => ({ workflow: name, finished: accepted })))
  for (const { finished } of parts!) expect(finished).toBeGreaterThan(0)
}, 300_000)

test('nothing is lost when a worker is told to end: it ends what it has begun', async () => {
  const { accounting, disagreements } = await step(end('worker-0', 'SIGTERM'))
  expect(exits).toMatchObject([{ process: 'worker-0', exit: { code: 0 } }])
  expect(asked).toContain(accounting.accepted)
  expect(accounting).toMatchObject({ ...complete, finished: accounting.accepted })
  expect(disagreements).toEqual([])
}, 300_000)

test('what a killed worker had begun is named: as lost, or as failed where n8n has noticed it by then', async () => {
  const { accounting, reasons } = await step(end('worker-1', 'SIGKILL'))
  const { accepted, finished, failed, lost, lostExecutions } = accounting
  expect(asked).toContain(accepted)
  expect(accounting.waiting).toBe(0)
  expect(failed! + lost!).toBeGreaterThan(0)
  expect(finished! + failed! + lost!).toBe(accepted)
  expect(lostExecutions).toHaveLength(lost!)
  const said = reasons.find(({ code }) => code === (lost! > 0 ? 'executions-lost' : 'executions-failed'))?.text
  expect(said).toContain(lostExecutions[0] ?? String(failed))
}, 600_000)
