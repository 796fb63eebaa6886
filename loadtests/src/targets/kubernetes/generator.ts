import { neverReady } from '../refusals.ts'
import {
  askToEnd,
  lastWords,
  rarelyCollecting,
  stoppedByItself,
  stoppedCodes,
  type Generated,
  type Generator,
  type GeneratorLook,
  type GeneratorWork,
} from '../../load/generator.ts'
import { until } from '../../lib/await.ts'
import { LabError } from '../../lib/errors.ts'
import { failProcess, repeat } from '../../lib/repeat.ts'
import type { Order } from '../target.ts'
import type { Cluster } from './cluster.ts'
import type { OwnNamespace } from './namespaces.ts'
import type { Images } from './images.ts'
import { execIn, inContainer, type ContainerPlace } from './kubectl.ts'
import type { PodObject } from './objects.ts'
import { job, programStarted, secretFolder, secretOf } from './program.ts'
import { openShell } from './shell.ts'
import { look, usageBy } from './usage.ts'

export interface JobMeans {
  cluster: Cluster
  own: OwnNamespace
  images: Images
  /** The ConfigMap with the files of scenarios/. */
  files: string
  /** Pods that share each load. */
  parts?: number
  /** Receives a sentence about what was done otherwise than it should be. */
  onUnseen?: Order['onUnseen']
  /** Runs a shell command in a pod. */
  exec?: (place: ContainerPlace, script: string) => Promise<{ failed: boolean; stderr: string }>
}

/** As on one machine: load beyond one core needs another pod. */
const limits = { cpu: 1, memory: 2 ** 30 }
/** Of that memory, so that the kernel kills nothing. */
const usable = 0.75 * limits.memory
const user = 12_345
const every = 250
/** Of a Secret, which may hold 1 MiB, and is sent in base64. */
const pieceSize = 700 * 2 ** 10

/** Runs k6 as one Job inside the cluster, with a pod for each part of the load, and reads its summary from its log. */
export function jobGenerator({
  cluster,
  own,
  images,
  files,
  parts = 1,
  onUnseen,
  exec = (place, script) => execIn(cluster.context, place, ['sh', '-c', script]),
}: JobMeans): Generator {
  const { api } = cluster
  const { namespace } = own
  let count = 0
  /** What its pods reserve; nothing once no node had room for it. */
  let requests: typeof limits | undefined = limits
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const secrets = `/api/v1/namespaces/${namespace}/secrets`

  async function run(work: GeneratorWork): Promise<Generated[]> {
    try {
      return await runWith(work, requests)
    } catch (error) {
      if (requests === undefined || !(error instanceof LabError) || error.code !== 'no-room') throw error
      requests = undefined
      onUnseen?.({ code: 'no-room-for-generator' })
      return runWith(work, undefined)
    }
  }

  async function runWith(work: GeneratorWork, reserved: typeof limits | undefined): Promise<Generated[]> {
    const name = `${own.name}-k6-${count++}`
    const { signal } = work
    const pieces = work.requests === undefined ? [] : piecesOf(work.requests)
    const made = pieces.map((_, index) => `${name}-requests-${index}`)
    try {
      for (const [index, secret] of made.entries())
        await api.create(
          secrets,
          secretOf(secret, own, { [`requests-${String(index).padStart(4, '0')}`]: pieces[index]! }),
        )
      const program = {
        ...{ name, own, image: images.k6, user, files, secrets: made, limits, requests: reserved, parts },
        command: ['sh', '-c', scriptFor(parts > 1, made.length > 0), 'k6'],
        args: argumentsOf(work),
        env: {
          ...rarelyCollecting(usable),
          ...work.env,
          SUMMARY: 'stdout',
          ...(made.length > 0 && { REQUESTS: requestsFile }),
        },
      }
      await api.create(jobs, job(program, images))
      const pods = await programStarted(api, namespace, name, { parts, signal })
      const places = pods.map(({ metadata }): ContainerPlace => ({ namespace, pod: metadata.name, container: name }))
      if (parts > 1) await begin(name, places)
      return await Promise.all(places.map((place) => follow(place, work)))
    } finally {
      await api.remove(`${jobs}/${name}`)
      for (const secret of made) await api.remove(`${secrets}/${secret}`)
    }
  }

  /** Pods start at different moments, so they wait for a common signal. */
  async function begin(name: string, places: ContainerPlace[]): Promise<void> {
    const answers = await Promise.all(places.map((place) => exec(place, `touch ${word}`)))
    const deaf = answers.find(({ failed }) => failed)
    if (deaf) throw neverReady(name, 'it could not be told to begin', 'kubectl exec says why.', [deaf.stderr])
  }

  async function follow(place: ContainerPlace, { signal, endEarly, told }: GeneratorWork): Promise<Generated> {
    const path = `/api/v1/namespaces/${namespace}/pods/${place.pod}`
    const startedAt = Date.now()
    const watch = watchGenerator(place, endEarly)
    let log = ''
    let endedAt = startedAt
    const onLog = (text: string) => {
      log += text
      endedAt = Date.now()
    }
    // A watch that goes on would keep the lab from ending.
    await api.follow(`${path}/log?follow=true`, onLog, signal).finally(() => watch.stop())
    const { looks } = watch
    const ended = await until(
      async () => (await api.find<PodObject>(path))?.status.containerStatuses?.[0]?.state?.terminated,
      { timeout: 30_000, every: 100, signal },
    )
    signal.throwIfAborted()
    // The script ends well whatever k6 did, because a Job ends all its pods with the first that fails.
    const exitCode = ended?.exitCode === 0 ? Number(ended.message) : ended?.exitCode
    const { summary, rest } = summaryIn(log)
    return {
      summary,
      failed: exitCode === undefined || (exitCode !== 0 && !stoppedCodes.includes(exitCode)),
      // 137: SIGKILL.
      killed: exitCode === undefined || exitCode === 137,
      stopped: stoppedByItself.includes(exitCode ?? 0),
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
      ...(told && { told: rest.filter((line) => line.startsWith('{"id"')) }),
      // If the container could not start, only Kubernetes knows why.
      log: rest.length ? lastWords(rest) : [(ended?.exitCode !== 0 && ended?.message) || []].flat(),
    }
  }

  /** The CPU time of an ended container cannot be read, so it is read while the container runs. */
  function watchGenerator(
    place: ContainerPlace,
    endEarly: (() => boolean) | undefined,
  ): { looks: GeneratorLook[]; stop(): void } {
    const shell = openShell((words) => inContainer(cluster.context, place, words), look)
    const looks: GeneratorLook[] = []
    const shallEnd = askToEnd(endEarly)
    const end = repeat(
      async () => {
        // The container's first process passes it on to k6.
        if (shallEnd()) void exec(place, 'kill -INT 1')
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

  return { cores: limits.cpu, memory: usable, parts, run }
}

/** What tells a pod of several to begin. */
const word = '/tmp/go'
const requestsFile = '/tmp/requests.json'

const argumentsOf = ({ scenario }: GeneratorWork): string[] => [
  'run',
  '--quiet',
  '--no-usage-report',
  '--log-format=raw',
  // The pod's log joins stdout and stderr, and would set a line of one into the summary on the other.
  '--log-output=stdout',
  '--address=',
  `/files/${scenario}.ts`,
]

/**
 * Waits to be told if there are other parts, and says at its end how k6 ended. A shell has its background ignore
 * SIGINT, so k6 is asked to end by SIGTERM, which it takes alike.
 */
const scriptFor = (isPart: boolean, hasRequests: boolean) =>
  [
    ...(hasRequests ? [`cat ${secretFolder}/requests-* >${requestsFile}`] : []),
    ...(isPart ? ['export PART=$JOB_COMPLETION_INDEX', `until [ -e ${word} ]; do sleep 0.05; done`] : []),
    // Before k6, and with the name that it has at once: it may be asked to end in its first moment.
    "trap 'kill -TERM $!' INT TERM",
    'k6 "$@" & k6=$!',
    'wait $k6; code=$?',
    'while kill -0 $k6 2>/dev/null; do wait $k6; code=$?; done',
    'echo $code >/dev/termination-log',
  ].join('\n')

/** Pieces of a text that are at most so large in bytes. */
export function piecesOf(text: string, size = pieceSize): string[] {
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + size, bytes.length)
    // Not within a character: those bytes begin with 10.
    while (to < bytes.length && (bytes[to]! & 0xc0) === 0x80) to--
    pieces.push(bytes.subarray(from, to).toString())
    from = to
  }
  return pieces
}

/** Finds k6's summary in a log, even with other output before and after it on the same line. */
export function summaryIn(log: string): { summary: string | null; rest: string[] } {
  const lines = log.split('\n').filter(Boolean)
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!
    const found = line.slice(Math.max(0, line.indexOf('{"')), line.lastIndexOf('}') + 1)
    if (isSummary(found)) return { summary: found, rest: lines.filter((_, index) => index !== at) }
  }
  return { summary: null, rest: lines }
}

function isSummary(text: string): boolean {
  try {
    const { metrics, state } = JSON.parse(text)
    return metrics !== undefined && state !== undefined
  } catch {
    return false
  }
}
