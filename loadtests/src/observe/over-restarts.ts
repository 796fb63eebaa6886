import type { Executions } from './sample.ts'

/** Counters that go on where a restarted process begins at zero. Pure: the state is what it returned before. */
export interface Counted {
  /** Of processes that are gone. */
  base: Executions
  /** What the present one had counted when it was first looked at after a restart. */
  origin: Executions
  /** What it has counted now. */
  last: Executions
  startedAt: number | null
}

const none: Executions = { started: 0, succeeded: 0, failed: 0 }

/** `from`: what the first look counts from; a process that ran before is counted from then on. */
export function countOn(
  before: Counted | null,
  startedAt: number | null,
  now: Executions,
  from: Executions = none,
): Counted {
  if (before === null) return { base: none, origin: from, last: now, startedAt }
  const age = startedAt === null || before.startedAt === null ? null : startedAt - before.startedAt
  const fell = now.started < before.last.started
  // Two looks can be under way at once: an answer that was overtaken says nothing new.
  if (age !== null && (age < 0 || (age === 0 && fell))) return before
  const restarted = age === null ? fell || startedAt !== before.startedAt : age > 0
  // n8n 2 sends the events again that its dead predecessor had not confirmed, before it serves anything.
  if (restarted) return { base: total(before), origin: now, last: now, startedAt }
  return { ...before, last: now, startedAt }
}

/** Over all processes until now. */
export const total = (counted: Counted): Executions => sum(counted.base, ofPresent(counted))

/** Of the process that lives. */
export function ofPresent({ origin, last }: Counted): Executions {
  return {
    started: last.started - origin.started,
    succeeded: last.succeeded - origin.succeeded,
    failed: last.failed - origin.failed,
  }
}

export function sum(a: Executions, b: Executions): Executions {
  return { started: a.started + b.started, succeeded: a.succeeded + b.succeeded, failed: a.failed + b.failed }
}

/** A plain count over the restarts of its process: what falls began anew. */
export interface Risen {
  base: number
  last: number
}

export function rise({ base, last }: Risen = { base: 0, last: 0 }, now: number): Risen {
  return { base: now < last ? base + last : base, last: now }
}
