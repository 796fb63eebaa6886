import { faults, type Cause, type FaultName, type Known } from './fault-table.ts'

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
  if (!Object.hasOwn(faults, name)) return undefined
  const { cause, seconds }: Known = faults[name as FaultName]
  const fault = { name: name as FaultName, seconds }
  if (cause.by === 'upgrade') return given === undefined ? undefined : { ...fault, tag: given }
  if (given === undefined) return fault
  const [, asked] = /^(\d+)s$/.exec(given) ?? []
  return asked === undefined || seconds === 0 ? undefined : { ...fault, seconds: Number(asked) }
}

/** As the command takes it. */
export const nameOf = ({ name, tag }: Fault): string => (tag ? `${name}=${tag}` : name)

export const causeOf = ({ name }: Fault): Cause => faults[name].cause

/** Whether it fills a disk, which must not be one that others use. */
export function fillsDisk(fault: Fault): boolean {
  const cause = causeOf(fault)
  return cause.by === 'process' && cause.how === 'fill-disk'
}

/** Whether n8n needs a clock that the lab can move. */
export function movesClock(fault: Fault): boolean {
  const cause = causeOf(fault)
  return cause.by === 'process' && cause.how === 'move-clock'
}

/** Whether it drops packets, or fills a disk: n8n then runs apart from the machine. */
export function needsOwnNetwork(fault: Fault): boolean {
  const cause = causeOf(fault)
  return cause.by === 'process' && ['cut-off', 'lossy', 'fill-disk'].includes(cause.how)
}

/** Where alone a fault can be done; null where it can be done on one machine and in a cluster. */
export function placeOf(fault: Fault): 'one machine' | 'a cluster' | null {
  const cause = causeOf(fault)
  if (cause.by === 'upgrade') return 'a cluster'
  if (cause.by !== 'process') return null
  // In a container, nothing can stop the first process. Redis has no other; PostgreSQL's others answer for it.
  const stopsFirst = cause.how === 'freeze' && cause.component === 'redis'
  if (stopsFirst || needsOwnNetwork(fault) || movesClock(fault)) return 'one machine'
  return ['exhaust-memory', 'evict', 'roll'].includes(cause.how) ? 'a cluster' : null
}
