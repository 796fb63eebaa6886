import { execa } from 'execa'
import {
  askToEnd,
  lastWords,
  rarelyCollecting,
  stoppedCodes,
  type Generated,
  type Generator,
  type Look,
  type Work,
} from '../../load/generator.ts'
import { until } from '../../lib/await.ts'
import { failProcess } from '../../lib/fail.ts'
import { endAtExit } from '../../lib/processes.ts'
import { repeat } from '../../lib/repeat.ts'
import { readinessErrors } from '../readiness-errors.ts'
import type { Api } from './api.ts'
import { argvOf } from './exec.ts'
import type { Home } from './homes.ts'
import type { Images } from './images.ts'
import { job, secretFolder, secretOf } from './manifests.ts'
import { podOf, programStarted } from './program.ts'
import { openShell } from './shell.ts'
import { summaryIn } from './summary.ts'
import { look, usageBy } from './usage.ts'

export interface JobMeans {
  api: Api
  context: string
  home: Home
  images: Images
  /** The ConfigMap with the files of scenarios/. */
  files: string
  /** Pods that share each load. */
  parts?: number
  /** Runs a shell command in a pod. */
  exec?: typeof inside
}

/** As on one machine: load beyond one core needs another pod. */
const cores = 1
const memory = 2 ** 30
const user = 12_345
const every = 250

/** Runs k6 as a Job inside the cluster, and reads its summary from its log. */
export function jobGenerator({ api, context, home, images, files, parts = 1, exec = inside }: JobMeans): Generator {
  const { namespace } = home
  let count = 0
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const secrets = `/api/v1/namespaces/${namespace}/secrets`

  async function run(
    { scenario, env, requests, told, signal, endEarly }: Work,
    meet?: () => Promise<void>,
  ): Promise<Generated> {
    const name = `${home.name}-k6-${count++}`
    const args = [
      'run',
      '--quiet',
      '--no-usage-report',
      '--log-format=raw',
      // The pod's log joins stdout and stderr, and would set a line of one into the summary on the other.
      '--log-output=stdout',
      '--address=',
      `/files/${scenario}.ts`,
    ]
    const secret = requests === undefined ? undefined : name
    if (secret) await api.create(secrets, secretOf(secret, home, { 'requests.json': requests! }))
    try {
      const given = {
        ...rarelyCollecting(0.75 * memory),
        ...env,
        SUMMARY: 'stdout',
        ...(secret && { REQUESTS: `${secretFolder}/requests.json` }),
      }
      await api.create(
        jobs,
        job(
          {
            name,
            home,
            image: images.k6,
            user,
            args,
            ...(meet && { command: whenTold }),
            env: given,
            files,
            secret,
            limits: { cpu: cores, memory },
          },
          images,
        ),
      )
      const pod: string = (await programStarted(api, namespace, name, signal)).metadata.name
      const inPod = ['kubectl', ...argvOf({ context, namespace, pod, container: name }, [], '--stdin')]
      if (meet) {
        await meet()
        const told = await exec(inPod, `touch ${word}`)
        if (told.failed)
          throw readinessErrors.neverReady(name, 'it could not be told to begin', 'kubectl exec says why.', [
            told.stderr,
          ])
      }
      const startedAt = Date.now()
      const watch = watchGenerator(inPod, endEarly)
      let log = ''
      let endedAt = startedAt
      const onLog = (text: string) => {
        log += text
        endedAt = Date.now()
      }
      // A watch that goes on would keep the lab from ending.
      await api
        .follow(`/api/v1/namespaces/${namespace}/pods/${pod}/log?follow=true`, onLog, signal)
        .finally(() => watch.stop())
      const { looks } = watch
      const ended = await until(
        async () => (await podOf(api, namespace, name))?.status.containerStatuses?.[0]?.state.terminated,
        { timeout: 30_000, every: 100, signal },
      )
      signal.throwIfAborted()
      const exitCode: number | undefined = ended?.exitCode
      const { summary, rest } = summaryIn(log)
      return {
        summary,
        failed: exitCode === undefined || (exitCode !== 0 && !stoppedCodes.includes(exitCode)),
        // 137: SIGKILL.
        killed: exitCode === undefined || exitCode === 137,
        ended:
          ended?.reason === 'OOMKilled'
            ? 'no memory left'
            : exitCode === undefined
              ? 'its pod gone'
              : `exit code ${exitCode}`,
        endedAt,
        elapsed: (endedAt - startedAt) / 1000,
        cpuSeconds: looks.at(-1)?.seconds ?? null,
        looks,
        // If the container could not start, only Kubernetes knows why.
        ...(told && { told: rest.filter((line) => line.startsWith('{"id"')) }),
        log: rest.length ? lastWords(rest) : [ended?.message ?? []].flat(),
      }
    } finally {
      await api.remove(`${jobs}/${name}`)
      if (secret) await api.remove(`${secrets}/${secret}`)
    }
  }

  return {
    cores,
    memory: 0.75 * memory,
    parts,
    run: async (work) =>
      parts === 1
        ? [await run(work)]
        : atOnce(
            Array.from({ length: parts }, (_, part) => ({ ...work, env: { ...work.env, PART: String(part) } })),
            run,
          ),
  }
}

/**
 * Pods start at different moments. So k6 waits in each for a common signal, and then becomes the container's first
 * process.
 */
const word = '/tmp/go'
const whenTold = ['sh', '-c', `until [ -e ${word} ]; do sleep 0.05; done; exec k6 "$@"`, 'k6']

async function inside([command, ...args]: string[], script: string): Promise<{ failed: boolean; stderr: string }> {
  const running = execa(command!, [...args, 'sh', '-c', script], { reject: false, detached: true, stdin: 'ignore' })
  endAtExit(running.pid)
  return running
}

/** Each pod waits for the others before it begins; if one fails, none waits any more. */
async function atOnce(
  orders: Work[],
  run: (order: Work, meet: () => Promise<void>) => Promise<Generated>,
): Promise<Generated[]> {
  const abort = new AbortController()
  const all = Promise.withResolvers<void>()
  abort.signal.addEventListener('abort', () => all.reject(abort.signal.reason))
  all.promise.catch(() => {})
  let missing = orders.length
  const meet = () => {
    if (--missing === 0) all.resolve()
    return all.promise
  }
  const outcomes = await Promise.allSettled(
    orders.map((order) =>
      run({ ...order, signal: AbortSignal.any([order.signal, abort.signal]) }, meet).catch((error) => {
        abort.abort(error)
        throw error
      }),
    ),
  )
  if (abort.signal.aborted) throw abort.signal.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<Generated>).value)
}

/** The CPU time of an ended container cannot be read, so it is read while the container runs. */
function watchGenerator(inPod: string[], endEarly: (() => boolean) | undefined): { looks: Look[]; stop(): void } {
  const shell = openShell(inPod, look)
  const looks: Look[] = []
  const shallEnd = askToEnd(endEarly)
  const end = repeat(
    async () => {
      // k6 is the container's first process.
      if (shallEnd()) void inside(inPod, 'kill -INT 1')
      const { cpuSeconds } = await usageBy(shell)
      if (cpuSeconds !== null) looks.push({ at: Date.now(), seconds: cpuSeconds })
    },
    every,
    failProcess,
  )
  return {
    looks,
    stop() {
      end()
      shell.close()
    },
  }
}
