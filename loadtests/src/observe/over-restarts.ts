import type { Executions } from './sample.ts'

/** Counters that go on where a restarted process begins at zero. Pure: the state is what it returned before. */
export interface Counted {
  /** Of processes that are gone. */
  base: Executions
  /** Of the present one. */
  last: Executions
  startedAt: number | null
}

const none: Executions = { started: 0, succeeded: 0, failed: 0 }

export function countOn(before: Counted | null, startedAt: number | null, now: Executions): Counted {
  if (before === null) return { base: none, last: now, startedAt }
  const age = startedAt === null || before.startedAt === null ? null : startedAt - before.startedAt
  const fell = now.started < before.last.started
  // Two looks can be under way at once: an answer that was overtaken says nothing new.
  if (age !== null && (age < 0 || (age === 0 && fell))) return before
  const restarted = age === null ? fell || startedAt !== before.startedAt : age > 0
  return { base: restarted ? total(before) : before.base, last: now, startedAt }
}

export const total = ({ base, last }: Counted): Executions => sum(base, last)

export function sum(a: Executions, b: Executions): Executions {
  return { started: a.started + b.started, succeeded: a.succeeded + b.succeeded, failed: a.failed + b.failed }
}
