import { percent } from '../support/figures.ts'

/** What to change, by what ran out of it: of a role, its values; of what runs beside n8n, what it is. */

/** A process during a step: cores that it used on average, and those it may use. */
export interface Busy {
  process: string
  cpu: number
  limit: number | null
}

const roles = ['main', 'worker', 'webhook'] as const
type Role = (typeof roles)[number]
const roleOf = (process: string) => roles.find((role) => process.startsWith(`${role}-`) && !process.endsWith('-runner'))

/** Where the chart says how much a process may have: `worker.resources.limits`. */
export function limitsOf(process: string): string {
  if (process.endsWith('-runner')) return 'runner.resources.limits'
  const role = roleOf(process)
  if (role) return `${role}.resources.limits`
  const store = (['redis', 'postgresql'] as const).find((name) => process.startsWith(name))
  return store ? `${store === 'redis' ? 'redis' : 'database'}.embedded.resources.limits` : 'its limits'
}

/** Of what it may use, beyond which a process has none to spare. */
const exhausted = 0.9
/** Cores that one event loop fills: it runs on one. */
const eventLoop = 0.9

const more: Record<Role, string> = {
  main: 'set executions.mode: queue, whose workers take the executions off it',
  worker: 'raise worker.replicas',
  webhook: 'raise webhook.replicas',
}

/** What ran out of CPU, by what its processes used: the busiest first. */
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
  if (limit !== null && share(first) >= exhausted) {
    const or = role && limit >= 1 ? `, or ${more[role]}` : ''
    return (
      `${process} used ${percent(share(first))} of its CPU limit: raise ${limitsOf(process)}.cpu${or}, `
      + 'or make the workflow cheaper.'
    )
  }
  const looping = busy.find((one) => one.cpu >= eventLoop && roleOf(one.process))
  if (looping)
    return (
      `${looping.process} used ${looping.cpu.toFixed(2)} cores, and its event loop runs on one: more `
      + `CPU does not help, ${more[roleOf(looping.process)!]}.`
    )
  const known = limit === null ? `${cpu.toFixed(2)} cores` : `${percent(share(first))} of its CPU limit`
  return (
    `No process was out of CPU, the busiest, ${process}, used ${known}: look at what its executions `
    + 'wait for, such as the database’s connections (database.poolSize), a worker’s concurrency or what '
    + 'the workflow calls.'
  )
}
