import type { Executions } from '../model/sample.ts'

/** Counters that continue when a process restarts at zero. Pure: the state is the previous return value. */
export interface CountedOn {
  /** The sum of all ended processes. */
  base: Executions
  /** The counter of the present process at the first look after a restart. */
  origin: Executions
  /** The latest counter of the present process. */
  last: Executions
  startedAt: number | null
}

const none: Executions = { started: 0, succeeded: 0, failed: 0 }

/** `from`: the counter that the first look subtracts, for a process that ran before the lab. */
export function countOn(
  before: CountedOn | null,
  startedAt: number | null,
  now: Executions,
  from: Executions = none,
): CountedOn {
  if (before === null) return { base: none, origin: from, last: now, startedAt }
  const age = startedAt === null || before.startedAt === null ? null : startedAt - before.startedAt
  const fell = now.started < before.last.started
  // Two looks can be under way at once; an older answer that arrives late adds nothing.
  if (age !== null && (age < 0 || (age === 0 && fell))) return before
  const restarted = age === null ? fell || startedAt !== before.startedAt : age > 0
  // Before n8n 2 serves requests, it sends again the events that its dead predecessor had not confirmed.
  if (restarted) return { base: total(before), origin: now, last: now, startedAt }
  return { ...before, last: now, startedAt }
}

/** The sum over all processes so far. */
export const total = (counted: CountedOn): Executions => sum(counted.base, ofPresent(counted))

/** The part of the present process. */
export function ofPresent({ origin, last }: CountedOn): Executions {
  return {
    started: last.started - origin.started,
    succeeded: last.succeeded - origin.succeeded,
    failed: last.failed - origin.failed,
  }
}

export function sum(a: Executions, b: Executions): Executions {
  return { started: a.started + b.started, succeeded: a.succeeded + b.succeeded, failed: a.failed + b.failed }
}

/** A plain count over the restarts of its process: if it falls, the process began again. */
export interface Risen {
  base: number
  last: number
}

export function riseOn({ base, last }: Risen = { base: 0, last: 0 }, now: number): Risen {
  return { base: now < last ? base + last : base, last: now }
}
