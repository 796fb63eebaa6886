import type { Plan } from '../../chart/plan.ts'
import { parseMetrics } from '../../n8n/metrics.ts'
import type { Order } from '../target.ts'
import type { Usage } from '../../n8n/running.ts'
import type { Api } from './api.ts'
import type { PodObject } from './objects.ts'
import { isAllowed } from './refuse-missing-rights.ts'
import type { Shell } from './shell.ts'

/**
 * Reads the container's CPU time and memory from its control group (version 1 or 2), and its processes except this
 * shell. Uses only built-in commands of the shell, so it starts no process in the measured container.
 */
export const look = `
cat_() { while IFS= read -r line; do echo "$1 $line"; done <"$2"; } 2>/dev/null
[ -r /sys/fs/cgroup/cpu.stat ] && cat_ v2 /sys/fs/cgroup/cpu.stat
[ -r /sys/fs/cgroup/cpuacct/cpuacct.usage ] && cat_ v1 /sys/fs/cgroup/cpuacct/cpuacct.usage
[ -r /sys/fs/cgroup/cpu/cpu.stat ] && cat_ v1cpu /sys/fs/cgroup/cpu/cpu.stat
[ -r /sys/fs/cgroup/memory.stat ] && cat_ m2 /sys/fs/cgroup/memory.stat
[ -r /sys/fs/cgroup/memory/memory.stat ] && cat_ m1 /sys/fs/cgroup/memory/memory.stat
for process in /proc/[0-9]*; do
  [ "$process" = "/proc/$$" ] && continue
  cat_ stat "$process/stat"
  while read -r key kibibytes _; do [ "$key" = VmRSS: ] && echo "rss $kibibytes" && break; done <"$process/status"
done 2>/dev/null`

const ticksPerSecond = 100
const patience = 900

export const unknown: Usage = { cpuSeconds: null, rss: null, pids: 0 }

export async function usageBy(shell: Shell): Promise<Usage> {
  const lines = await shell.ask(patience)
  return lines ? readUsage(lines) : unknown
}

export function readUsage(lines: string[]): Usage {
  const after = (prefix: string) =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length))
  const stats = after('stat ')
    .map((line) => line.slice(line.lastIndexOf(')') + 2).split(' '))
    .filter(([state]) => state !== 'Z')
  const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)
  const [v2] = after('v2 usage_usec ')
  const [v1] = after('v1 ')
  const ofProcesses = stats.length
    ? sum(stats.map((fields) => Number(fields[11]) + Number(fields[12]))) / ticksPerSecond
    : null
  const figures = (...names: string[]) =>
    names
      .map((name) => after(name)[0])
      .filter((figure) => figure !== undefined)
      .map(Number)
  // Processes of a database share most of their memory, so their sum could exceed the container's limit.
  const [group] = [figures('m2 anon ', 'm2 file_mapped '), figures('m1 total_rss ', 'm1 total_mapped_file ')].filter(
    ({ length }) => length === 2,
  )
  const [throttling] = [
    figures('v2 nr_periods ', 'v2 nr_throttled '),
    figures('v1cpu nr_periods ', 'v1cpu nr_throttled '),
  ].filter(({ length }) => length === 2)
  const resident = after('rss ').map((kibibytes) => Number(kibibytes) * 1024)
  return {
    cpuSeconds: v2 ? Number(v2) / 1e6 : v1 ? Number(v1) / 1e9 : ofProcesses,
    rss: group ? sum(group) : resident.length ? sum(resident) : null,
    pids: stats.length,
    ...(throttling && { throttling: { periods: throttling[0]!, stopped: throttling[1]! } }),
  }
}

/**
 * With more containers, a shell in each would cost the API server and this machine more than n8n's own load. Then each
 * node's kubelet is asked for all of its containers at once.
 */
const manyContainers = 30

/** Kubelets look every ten seconds at most. */
const looksEvery = 5000
const kubeletPatience = 10_000

/** Asks the kubelets of the nodes that the pods run on. */
export function openKubelets(api: Pick<Api, 'ask'>, now = () => performance.now()) {
  const pages = new Map<string, { at: number; usages: Promise<Map<string, Usage>> }>()
  const told = new Map<string, number | null>()

  async function ask(node: string): Promise<Map<string, Usage>> {
    const page = await api.ask(`/api/v1/nodes/${node}/proxy/metrics/cadvisor`, { timeout: kubeletPatience })
    return page?.status === 200 ? containersIn(page.text) : new Map()
  }

  return {
    async usageOf({ metadata, spec }: PodObject, container: string): Promise<Usage> {
      const node = spec.nodeName
      if (node === undefined) return unknown
      let page = pages.get(node)
      if (!page || now() - page.at >= looksEvery) {
        page = { at: now(), usages: ask(node) }
        pages.set(node, page)
      }
      const key = keyOf(metadata.namespace, metadata.name, container)
      const usage = (await page.usages).get(key)
      if (!usage) return unknown
      // The kubelet has not looked again: the next figure covers this time, too.
      const isOld = told.get(key) === usage.cpuSeconds
      told.set(key, usage.cpuSeconds)
      return isOld ? { ...usage, cpuSeconds: null, throttling: null } : usage
    },
  }
}

export type Kubelets = ReturnType<typeof openKubelets>

/** Null where each container is asked itself. */
export async function kubeletsFor(
  { workloads }: Pick<Plan, 'workloads'>,
  api: Api,
  onUnseen?: Order['onUnseen'],
): Promise<Kubelets | null> {
  const count = workloads.reduce((sum, { replicas, containers }) => sum + replicas * containers.length, 0)
  if (count <= manyContainers) return null
  if (await isAllowed(api, { group: '', resource: 'nodes/proxy', verb: 'get', namespace: null }))
    return openKubelets(api)
  onUnseen?.({ code: 'asked-one-by-one', containers: count })
  return null
}

const keyOf = (namespace: string, pod: string, container: string) => `${namespace}/${pod}/${container}`

const names =
  'container_(?:cpu_usage_seconds_total|memory_rss|memory_mapped_file|processes|cpu_cfs_periods_total|'
  + 'cpu_cfs_throttled_periods_total)'

/** What a kubelet says of its containers, by namespace, pod and container. */
export function containersIn(page: string): Map<string, Usage> {
  const figures = Map.groupBy(
    parseMetrics(page, names).filter(({ labels }) => labels.container && labels.pod),
    ({ labels }) => keyOf(labels.namespace!, labels.pod!, labels.container!),
  )
  return new Map(
    [...figures].map(([key, metrics]) => {
      const of = (name: string) => metrics.find((metric) => metric.name === `container_${name}`)?.value ?? null
      const [rss, mapped] = [of('memory_rss'), of('memory_mapped_file')]
      const [periods, stopped] = [of('cpu_cfs_periods_total'), of('cpu_cfs_throttled_periods_total')]
      return [
        key,
        {
          cpuSeconds: of('cpu_usage_seconds_total'),
          rss: rss === null ? null : rss + (mapped ?? 0),
          pids: of('processes') ?? 0,
          ...(periods !== null && stopped !== null && { throttling: { periods, stopped } }),
        },
      ]
    }),
  )
}
