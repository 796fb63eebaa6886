import type { Disturbance } from '../targets/target.ts'
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

/** What they do to processes. */
export const disturbancesOf = (all: Fault[]): Disturbance[] =>
  all.map(causeOf).flatMap((cause) => (cause.by === 'process' ? [cause] : []))

/** Whether it can be done in a cluster alone. */
export function needsCluster(fault: Fault): boolean {
  const cause = causeOf(fault)
  if (cause.by === 'upgrade') return true
  return cause.by === 'process' && ['exhaust-memory', 'evict', 'roll'].includes(cause.how)
}
