import { render } from '../../../../loadtests/src/chart/render.ts'
import type { FoundWarning } from '../../../../loadtests/src/model/warning.ts'
import type { Api } from '../../../../loadtests/src/targets/kubernetes/api.ts'
import type { Cluster } from '../../../../loadtests/src/targets/kubernetes/cluster.ts'
import type { PodObject } from '../../../../loadtests/src/targets/kubernetes/objects.ts'
import { watchProcess } from '../../../../loadtests/src/targets/kubernetes/process.ts'
import { kubeletsFor } from '../../../../loadtests/src/targets/kubernetes/usage.ts'
import type { Watch } from '../../../../loadtests/src/targets/kubernetes/watch.ts'

/** Looks once at every container of a plan, in a cluster of ten nodes that its API server alone can tell of. */
async function lookedAt(workers: number, allowed = true) {
  const plan = await render({
    executions: { mode: 'queue' },
    database: { type: 'embedded', maxConnections: 1500 },
    webhook: { replicas: 36 },
    worker: { replicas: workers },
  })
  const pods = new Map<string, PodObject>()
  const page: string[] = []
  for (const { component, replicas, containers } of plan.workloads)
    for (let index = 0; index < replicas; index++) {
      const name = `${component}-${index}`
      pods.set(name, {
        metadata: { name, namespace: 'lab' },
        spec: { nodeName: `node-${pods.size % 10}` },
      } as PodObject)
      for (const container of containers)
        page.push(`container_cpu_usage_seconds_total{container="${container.name}",namespace="lab",pod="${name}"} 2`)
    }
  const asked: string[] = []
  const told: FoundWarning[] = []
  const api = {
    create: async () => ({ status: { allowed } }),
    ask: async (path: string) => (asked.push(path), { status: 200, text: page.join('\n') }),
  } as Partial<Api> as Api
  const kubelets = await kubeletsFor(plan, api, (warning) => told.push(warning))
  const watch = { pods: () => pods } as Partial<Watch> as Watch
  const access = { cluster: { api } as Cluster, namespace: 'lab', watch, entry: 'webhook', kubelets }
  const looks = plan.workloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) =>
      workload.containers.map((container) =>
        watchProcess(`${workload.component}-${index}`, workload, container, access),
      ),
    ).flat(),
  )
  const usages = kubelets && (await Promise.all(looks.map(({ usage }) => usage())))
  return { pods: pods.size, containers: page.length, asked, told, usages }
}

test('the containers of 200 pods on ten nodes are looked at by ten questions', async () => {
  const { pods, containers, asked, told, usages } = await lookedAt(161)
  expect(pods).toBe(200)
  expect(asked.toSorted()).toEqual(
    Array.from({ length: 10 }, (_, node) => `/api/v1/nodes/node-${node}/proxy/metrics/cadvisor`),
  )
  expect(usages!.map(({ cpuSeconds }) => cpuSeconds)).toEqual(Array(containers).fill(2))
  expect(told).toEqual([])
})

test('without the right to ask nodes each container is asked itself, and that this costs is told', async () => {
  const { usages, told } = await lookedAt(161, false)
  expect(usages).toBeNull()
  expect(told).toEqual([{ code: 'asked-one-by-one', containers: expect.any(Number) }])
})
