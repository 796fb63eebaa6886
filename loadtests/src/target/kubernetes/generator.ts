import { execa } from 'execa'
import { until } from '../../await.ts'
import type { Look } from '../../load/busy.ts'
import type { Generated, Generator, GeneratorOrder } from '../../load/generator.ts'
import type { Api } from './api.ts'
import type { Images } from './images.ts'
import { job } from './manifests.ts'
import { podOf, programStarted } from './program.ts'
import { openShell } from './shell.ts'
import { summaryIn } from './summary.ts'
import { look, usageBy } from './usage.ts'

export interface Place {
  api: Api
  context: string
  namespace: string
  images: Images
  /** The ConfigMap of scenarios/. */
  files: string
}

/** k6's own codes for a test that ended well, or was stopped from outside or by a threshold: all leave a summary. */
const well = [0, 105, 99]
/** As on one machine: more load than one core makes is another pod's. */
const cores = 1
const memory = 2 ** 30
const user = 12_345
const every = 250

/** k6 as a Job inside the cluster: its summary comes back in its log. */
export function jobGenerator({ api, context, namespace, images, files }: Place): Generator {
  let count = 0
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`

  async function run({ scenario, env, signal, endEarly }: GeneratorOrder): Promise<Generated> {
    const name = `k6-${count++}`
    const args = ['run', '--quiet', '--no-usage-report', '--log-format=raw', '--address=', `/files/${scenario}.ts`]
    await api.create(jobs, job({ name, image: images.k6, user, args, env: { ...env, SUMMARY: 'stdout' }, files, limits: { cpu: cores, memory } }, images))
    try {
      const pod: string = (await programStarted(api, namespace, name, signal)).metadata.name
      const startedAt = Date.now()
      const inPod = ['kubectl', '--context', context, '--namespace', namespace, 'exec', '--stdin', pod, '--']
      const watch = watchGenerator(inPod, endEarly)
      let log = ''
      let endedAt = startedAt
      await api.follow(`/api/v1/namespaces/${namespace}/pods/${pod}/log?follow=true`, (text) => {
        log += text
        endedAt = Date.now()
      }, signal)
      const looks = watch.stop()
      const ended = await until(async () => (await podOf(api, namespace, name))?.status.containerStatuses?.[0]?.state.terminated, { timeout: 30_000, every: 100, signal })
      signal.throwIfAborted()
      const exitCode: number | undefined = ended?.exitCode
      const { summary, rest } = summaryIn(log)
      return {
        summary,
        failed: exitCode === undefined || !well.includes(exitCode),
        ended: ended?.reason === 'OOMKilled' ? 'no memory left' : exitCode === undefined ? 'its pod gone' : `exit code ${exitCode}`,
        endedAt,
        elapsed: (endedAt - startedAt) / 1000,
        cpuSeconds: looks.at(-1)?.seconds ?? null,
        looks,
        // Where it could not even start, only Kubernetes has something to say.
        log: rest.length ? rest.slice(-15) : [ended?.message ?? []].flat(),
      }
    } finally {
      await api.remove(`${jobs}/${name}`)
    }
  }

  return { cores, run }
}

/** The CPU time of a container that has ended cannot be asked for, so it is read while it runs. */
function watchGenerator(inPod: string[], endEarly: (() => boolean) | undefined): { stop(): Look[] } {
  const shell = openShell(inPod, look)
  const looks: Look[] = []
  let ending = false
  const timer = setInterval(async () => {
    // Once: at the second, k6 ends without its summary. It is the container's first process.
    if (!ending && endEarly?.()) {
      ending = true
      const [command, ...args] = inPod
      void execa(command!, [...args, 'sh', '-c', 'kill -INT 1'], { reject: false, detached: true, stdin: 'ignore' })
    }
    const { cpuSeconds } = await usageBy(shell)
    if (cpuSeconds !== null) looks.push({ at: Date.now(), seconds: cpuSeconds })
  }, every)
  return {
    stop() {
      clearInterval(timer)
      shell.close()
      return looks
    },
  }
}
