import { nearest } from '../lib/nearest.ts'
import type { ProcessFault, PodFault, RunnerFault } from '../model/fault.ts'

/** Where a fault is injected: a process of the plan, the connections of a store, or the release. */
export type FaultCause =
  | ({ by: 'process' } & ProcessFault)
  | { by: 'redis'; how: 'cut' | 'empty' | 'full' | 'read-only' | 'pause' }
  | { by: 'postgresql'; how: 'cut' | 'fill' | 'read-only' }
  | { by: 'upgrade' }

/** What the lab knows of a fault. */
interface Known {
  does: string
  cause: FaultCause
  /** Seconds, if the command gives none. A fault that is over at once has 0. */
  seconds: number
}

type Component = PodFault['component']

const process = (component: Component, how: PodFault['how'], replicas: PodFault['replicas'] = 'one'): FaultCause => ({
  by: 'process',
  component,
  how,
  replicas,
})
const runner = (how: RunnerFault): FaultCause => ({ by: 'process', component: 'runner', how, replicas: 'one' })

const killed = (component: Component): Known => ({
  does: `SIGKILL to one ${component} process, which is started again`,
  cause: process(component, 'kill'),
  seconds: 0,
})
const ended = (component: Component): Known => ({
  does: `SIGTERM to one ${component} process, which is started again when it has ended`,
  cause: process(component, 'end'),
  seconds: 0,
})
const outOfMemory = (component: Component): Known => ({
  does: `the kernel kills one ${component} process, because its container passes its memory limit (cluster only)`,
  cause: process(component, 'exhaust-memory'),
  seconds: 0,
})
const frozen = (component: Component): Known => ({
  does: `SIGSTOP to one ${component} process, and SIGCONT at the end`,
  cause: process(component, 'freeze'),
  seconds: 30,
})

export const knownFaults = {
  'main-killed': killed('main'),
  'main-ended': ended('main'),
  'main-frozen': frozen('main'),
  'main-out-of-memory': outOfMemory('main'),
  'worker-killed': killed('worker'),
  'worker-ended': ended('worker'),
  'worker-frozen': frozen('worker'),
  'worker-out-of-memory': outOfMemory('worker'),
  'workers-gone': {
    does: 'SIGKILL to every worker; they are started again at the end',
    cause: process('worker', 'hold', 'all'),
    seconds: 20,
  },
  'webhook-killed': killed('webhook'),
  'webhook-ended': ended('webhook'),
  'webhook-frozen': frozen('webhook'),
  'webhook-out-of-memory': outOfMemory('webhook'),
  'runner-killed': {
    does: 'SIGKILL to one task runner, which n8n starts again',
    cause: runner('kill'),
    seconds: 0,
  },
  'runner-ended': {
    does: 'SIGTERM to one task runner, which n8n starts again',
    cause: runner('end'),
    seconds: 0,
  },
  'runner-frozen': {
    does: 'SIGSTOP to one task runner, and SIGCONT at the end',
    cause: runner('freeze'),
    seconds: 30,
  },
  'runner-out-of-memory': {
    does: 'the kernel kills one task runner, because its container passes its memory limit (cluster only)',
    cause: runner('exhaust-memory'),
    seconds: 0,
  },
  'redis-killed': {
    does: 'SIGKILL to Redis, which is started again with its data',
    cause: process('redis', 'kill'),
    seconds: 0,
  },
  'redis-ended': {
    does: 'SIGTERM to Redis, which is started again with its data',
    cause: process('redis', 'end'),
    seconds: 0,
  },
  'redis-gone': {
    does: 'SIGKILL to Redis, which is started again at the end',
    cause: process('redis', 'hold'),
    seconds: 20,
  },
  'redis-frozen': {
    does: 'SIGSTOP to Redis: connections stay open and nothing answers',
    cause: process('redis', 'freeze'),
    seconds: 30,
  },
  'redis-unreachable': {
    does: 'the network lets nothing pass between n8n and Redis',
    cause: process('redis', 'cut-off'),
    seconds: 30,
  },
  'redis-lossy': {
    does: 'one in ten packets between n8n and Redis arrives late, as when the network loses it',
    cause: process('redis', 'lossy'),
    seconds: 30,
  },
  'redis-paused': {
    does: 'CLIENT PAUSE: Redis takes commands and answers none',
    cause: { by: 'redis', how: 'pause' },
    seconds: 30,
  },
  'redis-cut': {
    does: 'Redis ends every connection of n8n’s',
    cause: { by: 'redis', how: 'cut' },
    seconds: 0,
  },
  'redis-emptied': {
    does: 'Redis loses all its data and is started again',
    cause: { by: 'redis', how: 'empty' },
    seconds: 0,
  },
  'redis-full': { does: 'Redis refuses writes for want of memory', cause: { by: 'redis', how: 'full' }, seconds: 20 },
  'redis-read-only': {
    does: 'Redis becomes a replica that refuses writes',
    cause: { by: 'redis', how: 'read-only' },
    seconds: 20,
  },
  'postgresql-killed': {
    does: 'SIGKILL to PostgreSQL, which is started again',
    cause: process('postgresql', 'kill'),
    seconds: 0,
  },
  'postgresql-restarted': {
    does: 'PostgreSQL shuts down fast (SIGINT) and is started again',
    cause: process('postgresql', 'interrupt'),
    seconds: 0,
  },
  'postgresql-gone': {
    does: 'SIGKILL to PostgreSQL, which is started again at the end',
    cause: process('postgresql', 'hold'),
    seconds: 20,
  },
  'postgresql-frozen': {
    does: 'SIGSTOP to PostgreSQL: connections stay open and nothing answers',
    cause: process('postgresql', 'freeze'),
    seconds: 30,
  },
  'postgresql-unreachable': {
    does: 'the network lets nothing pass between n8n and PostgreSQL',
    cause: process('postgresql', 'cut-off'),
    seconds: 30,
  },
  'postgresql-lossy': {
    does: 'one in ten packets between n8n and PostgreSQL arrives late, as when the network loses it',
    cause: process('postgresql', 'lossy'),
    seconds: 30,
  },
  'postgresql-cut': {
    does: 'PostgreSQL ends every connection of n8n’s',
    cause: { by: 'postgresql', how: 'cut' },
    seconds: 0,
  },
  'postgresql-full': {
    does: 'others take every connection that PostgreSQL has left',
    cause: { by: 'postgresql', how: 'fill' },
    seconds: 20,
  },
  'postgresql-read-only': {
    does: 'PostgreSQL refuses writes, as a standby does, and many services whose disk is full',
    cause: { by: 'postgresql', how: 'read-only' },
    seconds: 30,
  },
  'postgresql-disk-full': {
    does: 'PostgreSQL’s disk has no room left',
    cause: process('postgresql', 'fill-disk'),
    seconds: 30,
  },
  'clock-moved': {
    does: 'the clock of every n8n process goes an hour ahead, and back at the end',
    cause: process('n8n', 'move-clock', 'all'),
    seconds: 30,
  },
  drained: {
    does: 'every n8n pod is evicted under its disruption budget, as when its node is drained (cluster only)',
    cause: process('n8n', 'evict', 'all'),
    seconds: 90,
  },
  rolled: {
    does: 'a rolling restart of every n8n role (cluster only)',
    cause: process('n8n', 'roll', 'all'),
    seconds: 90,
  },
  upgraded: {
    does: 'helm upgrade to another n8n, such as upgraded=2.41.1 (cluster only)',
    cause: { by: 'upgrade' },
    seconds: 180,
  },
} satisfies Record<string, Known>

type FaultName = keyof typeof knownFaults

export const faultNames = Object.keys(knownFaults) as FaultName[]

/** A fault at a known moment of a steady load, and the moment at which it is over. */
export interface Fault {
  name: FaultName
  /** Seconds until it ends. */
  seconds: number
  /** The n8n that an upgrade leads to. */
  tag?: string
}

/** Reads `redis-frozen`, `redis-frozen=45s` or `upgraded=2.41.1`; undefined if the lab does not know the fault. */
export function parseFault(text: string): Fault | undefined {
  const [, name = '', given] = /^([a-z-]+)(?:=([\w.-]+))?$/.exec(text) ?? []
  if (!Object.hasOwn(knownFaults, name)) return undefined
  const { cause, seconds }: Known = knownFaults[name as FaultName]
  const fault = { name: name as FaultName, seconds }
  if (cause.by === 'upgrade') return given === undefined ? undefined : { ...fault, tag: given }
  if (given === undefined) return fault
  const [, asked] = /^(\d+)s$/.exec(given) ?? []
  return asked === undefined || seconds === 0 ? undefined : { ...fault, seconds: Number(asked) }
}

/** The fault that a slip may have meant, with what was given to it; undefined of a name that is right. */
export function meantFault(text: string): string | undefined {
  const [name = '', ...given] = text.split('=')
  const meant = nearest(name, faultNames)
  return meant === undefined || meant === name ? undefined : [meant, ...given].join('=')
}

/** As the command takes it. */
export const faultName = ({ name, tag }: Fault): string => (tag ? `${name}=${tag}` : name)

export const causeOfFault = ({ name }: Fault): FaultCause => knownFaults[name].cause

/** What they do to processes. */
export const processFaultsOf = (all: Fault[]): ProcessFault[] =>
  all.map(causeOfFault).flatMap((cause) => (cause.by === 'process' ? [cause] : []))

/** Whether it can be done in a cluster alone. */
export function needsCluster(fault: Fault): boolean {
  const cause = causeOfFault(fault)
  if (cause.by === 'upgrade') return true
  return cause.by === 'process' && ['exhaust-memory', 'evict', 'roll'].includes(cause.how)
}
