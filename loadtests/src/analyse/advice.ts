import { percent } from '../support/figures.ts'

/** What to change when something ran out: values of a role, or what runs beside n8n. */

/** A process during a step: the cores that it used on average, and the cores that it may use. */
export interface Busy {
  process: string
  cpu: number
  limit: number | null
}

const roles = ['main', 'worker', 'webhook'] as const
type Role = (typeof roles)[number]
const roleOf = (process: string) => roles.find((role) => process.startsWith(`${role}-`) && !process.endsWith('-runner'))

/** The Helm value that limits a process: `worker.resources.limits`. */
export function limitsOf(process: string): string {
  if (process.endsWith('-runner')) return 'runner.resources.limits'
  const role = roleOf(process)
  if (role) return `${role}.resources.limits`
  const store = (['redis', 'postgresql'] as const).find((name) => process.startsWith(name))
  return store ? `${store === 'redis' ? 'redis' : 'database'}.embedded.resources.limits` : 'its limits'
}

/** Above this share of its limit, a process has no CPU to spare. */
const exhausted = 0.9
/** An event loop runs on one core; above this it is full. */
const eventLoop = 0.9

const more: Record<Role, string> = {
  main: 'set executions.mode: queue, whose workers take the executions off it',
  worker: 'raise worker.replicas',
  webhook: 'raise webhook.replicas',
}

/** Which process ran out of CPU, by what each of them used; the busiest comes first. */
export function cpuAdvice(busy: Busy[]): string {
  const share = ({ cpu, limit }: Busy) => cpu / (limit ?? Infinity)
  const [first] = busy.toSorted((a, b) => share(b) - share(a) || b.cpu - a.cpu)
  if (!first)
    return (
      'Find out which process is out of CPU: that of a webhook is main’s, in queue mode the webhook '
      + 'processor’s or the worker’s.'
    )
  const { process, cpu, limit } = first
  const role = roleOf(process)
  if (limit !== null && share(first) >= exhausted)
    return (
      `${process} used ${percent(share(first))} of its CPU limit: raise ${limitsOf(process)}.cpu${role && limit >= 1 ? `, or ${more[role]}` : ''}, `
      + 'or make the workflow cheaper.'
    )
  const looping = busy.find((one) => one.cpu >= eventLoop && roleOf(one.process))
  if (looping)
    return (
      `${looping.process} used ${looping.cpu.toFixed(2)} cores, and its event loop runs on one: more `
      + `CPU does not help, ${more[roleOf(looping.process)!]}.`
    )
  const known = limit === null ? `${cpu.toFixed(2)} cores` : `${percent(share(first))} of its CPU limit`
  return (
    `No process was out of CPU. The busiest, ${process}, used ${known}: look at what its executions `
    + 'wait for, such as the database’s connections (database.poolSize), a worker’s concurrency or what '
    + 'the workflow calls.'
  )
}
