import { processName } from '../lib/process-name.ts'
import type { Container, Plan, Workload } from './plan.ts'
import type { Limit } from '../model/result.ts'

/** What the chart lets n8n's processes have beside CPU and memory. */
export interface Executing {
  /** How many executions may run at once; null where n8n has no limit of its own. */
  slots: number | null
  /** How many tasks of Code nodes the task runners run at once; null where n8n runs them itself. */
  runner: number | null
  /** Bytes of V8's heap, by the process's name in the run. */
  heaps: Record<string, number>
}

export function executingOf({ workloads }: Plan): Executing {
  const mains = workloads.filter(({ component }) => component === 'main')
  const main = mains[0]?.containers[0]
  const workers = workloads.filter(({ component }) => component === 'worker')
  const inWorkers = workers.map(({ replicas, containers }) => replicas * concurrencyOf(containers[0]))
  const inMain = Number(main?.env.N8N_CONCURRENCY_PRODUCTION_LIMIT ?? 0)
  const slots = main?.env.EXECUTIONS_MODE === 'queue' ? inWorkers.reduce((sum, each) => sum + each, 0) : inMain
  return {
    slots: slots > 0 ? slots : null,
    runner: runnerSlots(main?.env.EXECUTIONS_MODE === 'queue' ? workers : mains),
    heaps: Object.fromEntries(
      workloads.flatMap(({ component, replicas, containers }) => {
        const heap = heapOf(containers[0])
        return heap === null
          ? []
          : Array.from({ length: replicas }, (_, index) => [processName(component, index), heap] as const)
      }),
    ),
  }
}

/** n8n's own default. */
const usualTasks = 10

/** Each process that executes has a runner of its own, inside or beside it. */
function runnerSlots(executing: Pick<Workload, 'replicas' | 'containers'>[]): number | null {
  const each = executing.map(({ replicas, containers: [own, ...beside] }) => {
    const runner = beside.find(({ name }) => name.includes('runner')) ?? own
    if (own?.env.N8N_RUNNERS_ENABLED === 'false') return 0
    return replicas * Number(runner?.env.N8N_RUNNERS_MAX_CONCURRENCY ?? usualTasks)
  })
  const all = each.reduce((sum, one) => sum + one, 0)
  return all > 0 ? all : null
}

const concurrencyOf = (worker: Container | undefined) =>
  Number(worker?.args.find((arg) => arg.startsWith('--concurrency='))?.split('=')[1] ?? NaN)

function heapOf(container: Container | undefined): number | null {
  const [, megabytes] = /--max-old-space-size=(\d+)/.exec(container?.env.NODE_OPTIONS ?? '') ?? []
  return megabytes === undefined ? null : Number(megabytes) * 2 ** 20
}

/** The limits of each process of the plan, by its name in the run. */
export function limitsByProcess({ workloads }: Plan): Record<string, Limit> {
  return Object.fromEntries(
    workloads.flatMap((workload) =>
      Array.from({ length: workload.replicas }, (_, index) => ofReplica(workload, index)).flat(),
    ),
  )
}

function ofReplica({ component, containers }: Workload, index: number): [string, Limit][] {
  return containers.map(({ name, limits }, position) => [
    processName(component, index, position > 0 ? name : undefined),
    limits,
  ])
}

/** Of the n8n process that may use least, at most 1. */
export const leastCores = ({ workloads }: Plan): number =>
  Math.min(
    1,
    ...workloads
      .flatMap(({ containers }) => containers)
      .flatMap(({ env, limits }) => (env.N8N_METRICS === 'true' && limits.cpu) || []),
  )

/** The images of all their containers. */
export const imagesOfPlans = (plans: Plan[]): string[] =>
  plans.flatMap(({ workloads }) =>
    workloads.flatMap(({ init, containers }) =>
      [...init, ...containers].map(({ image }) => `${image.repository}:${image.tag}`),
    ),
  )
