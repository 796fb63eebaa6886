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
  const restarted = startedAt !== before.startedAt || now.started < before.last.started
  return { base: restarted ? total(before) : before.base, last: now, startedAt }
}

export const total = ({ base, last }: Counted): Executions => sum(base, last)

export function sum(a: Executions, b: Executions): Executions {
  return { started: a.started + b.started, succeeded: a.succeeded + b.succeeded, failed: a.failed + b.failed }
}
