import { until } from '../../../../loadtests/src/lib/await.ts'
import type { PodObject } from '../../../../loadtests/src/targets/kubernetes/objects.ts'
import { openShell, type Shell } from '../../../../loadtests/src/targets/kubernetes/shell.ts'
import {
  containersIn,
  look,
  openKubelets,
  readUsage,
  usageBy,
} from '../../../../loadtests/src/targets/kubernetes/usage.ts'

/** The same script that runs in containers, in a real shell of this machine. */

const open: Shell[] = []
afterAll(() => open.forEach((shell) => shell.close()))
function shell(script: string): Shell {
  const one = openShell((command) => command, script)
  open.push(one)
  return one
}

test('a shell that stays answers again and again', async () => {
  const one = shell('count=$((count + 1)); echo $count')
  expect([await one.ask(5000), await one.ask(5000), await one.ask(5000)]).toEqual([['1'], ['2'], ['3']])
})

test('a shell that is late says nothing, and its late answer is not taken for the next one', async () => {
  const one = shell('[ -n "$slept" ] || { slept=yes; sleep 0.3; }; echo $((count = count + 1))')
  expect(await one.ask(50)).toBeNull()
  const next = await until(async () => (await one.ask(1000)) ?? undefined, { timeout: 5000, every: 20 })
  expect(next).toEqual(['2'])
})

test('a shell that has ended says so, and is asked in vain', async () => {
  const one = shell('exit 1')
  expect(await one.ask(5000)).toBeNull()
  expect(one.ended()).toBe(true)
  expect(await one.ask(5000)).toBeNull()
})

test('the look counts the processes around it, their memory and the CPU time', async () => {
  const usage = await usageBy(shell(look))
  expect(usage.pids).toBeGreaterThan(1)
  expect(usage.rss).toBeGreaterThan(2 ** 20)
  expect(usage.cpuSeconds).toBeGreaterThan(0)
})

const stat = (name: string, { state = 'S', cpu = 0 } = {}) =>
  `stat 7 (${name}) ${[state, 1, 7, 7, 0, -1, 0, 0, 0, 0, 0, cpu, 0, 0, 0, 20, 0, 1, 0, 100, 0, 0].join(' ')}`

test('CPU time is the control group’s of either version, and the processes’ where there is none', () => {
  expect(readUsage(['v2 usage_usec 2500000', 'v2 user_usec 1', stat('node', { cpu: 100 })]).cpuSeconds).toBe(2.5)
  expect(readUsage(['v1 2500000000', stat('node', { cpu: 100 })]).cpuSeconds).toBe(2.5)
  expect(readUsage([stat('node', { cpu: 100 }), stat('sh', { cpu: 50 })]).cpuSeconds).toBe(1.5)
})

test('how often its limit stopped it is the control group’s of either version, where it has a limit', () => {
  const periods = ['nr_periods 100', 'nr_throttled 40']
  expect(readUsage(periods.map((line) => `v2 ${line}`)).throttling).toEqual({ periods: 100, stopped: 40 })
  expect(readUsage(periods.map((line) => `v1cpu ${line}`)).throttling).toEqual({ periods: 100, stopped: 40 })
  expect(readUsage([stat('node', {})])).not.toHaveProperty('throttling')
})

test('memory is the control group’s of either version, where what processes share counts once', () => {
  const sharing = [stat('postgres'), 'rss 400', stat('postgres'), 'rss 400']
  expect(readUsage(['m2 anon 1000', 'm2 file 9', 'm2 file_mapped 200', ...sharing]).rss).toBe(1200)
  expect(
    readUsage(['m1 rss 1', 'm1 mapped_file 1', 'm1 total_rss 1000', 'm1 total_mapped_file 200', ...sharing]).rss,
  ).toBe(1200)
})

test('without one it is that of all processes, whatever their names; the dead have none', () => {
  expect(
    readUsage([stat('node (main) x'), 'rss 400', stat('node'), 'rss 4', stat('old', { state: 'Z' })]),
  ).toMatchObject({ rss: 404 * 1024, pids: 2 })
  expect(readUsage([])).toEqual({ cpuSeconds: null, rss: null, pids: 0 })
})

/** As a kubelet writes it, shortened. */
const page = (cpu: number) => `# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{container="",cpu="total",namespace="lab",pod="main-x"} 99 1795191548028
container_cpu_usage_seconds_total{container="n8n",cpu="total",namespace="lab",pod="main-x"} ${cpu} 1795191548028
container_cpu_cfs_periods_total{container="n8n",namespace="lab",pod="main-x"} 100 1795191548028
container_cpu_cfs_throttled_periods_total{container="n8n",namespace="lab",pod="main-x"} 40 1795191548028
container_memory_rss{container="n8n",namespace="lab",pod="main-x"} 1000 1795191548028
container_memory_mapped_file{container="n8n",namespace="lab",pod="main-x"} 200 1795191548028
container_processes{container="n8n",namespace="lab",pod="main-x"} 3 1795191548028
`

test('a kubelet tells the same of each of its containers', () => {
  expect([...containersIn(page(2.5))]).toEqual([
    ['lab/main-x/n8n', { cpuSeconds: 2.5, rss: 1200, pids: 3, throttling: { periods: 100, stopped: 40 } }],
  ])
})

test('one page of a node answers for all of its containers, until it is old', async () => {
  const asked: string[] = []
  let [now, cpu] = [0, 2]
  const api = { ask: async (path: string) => (asked.push(path), { status: 200, text: page(cpu) }) }
  const kubelets = openKubelets(api, () => now)
  const pod = { metadata: { namespace: 'lab', name: 'main-x' }, spec: { nodeName: 'one' } } as PodObject
  expect((await kubelets.usageOf(pod, 'n8n')).cpuSeconds).toBe(2)
  // What was told before is no new figure.
  expect((await kubelets.usageOf(pod, 'n8n')).cpuSeconds).toBeNull()
  expect(asked).toEqual(['/api/v1/nodes/one/proxy/metrics/cadvisor'])
  ;[now, cpu] = [6000, 3]
  expect((await kubelets.usageOf(pod, 'n8n')).cpuSeconds).toBe(3)
  expect(asked).toHaveLength(2)
})

test('of a kubelet that does not answer, nothing is known', async () => {
  const kubelets = openKubelets({ ask: async () => null })
  const pod = { metadata: { namespace: 'lab', name: 'main-x' }, spec: { nodeName: 'one' } } as PodObject
  expect(await kubelets.usageOf(pod, 'n8n')).toEqual({ cpuSeconds: null, rss: null, pids: 0 })
})
