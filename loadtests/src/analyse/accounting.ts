import { linearRegression } from 'simple-statistics'
import type { Executions, Sample } from '../observe/sample.ts'
import type { Accounting } from './summary.ts'

/** Counts at one moment. */
export interface Counts {
  executions: Executions
  /** Begun and not ended, in processes that live. */
  underWay: number
}

interface Window {
  startedAt: number
  endedAt: number
}

/** What became of the accepted requests, from n8n's own counts before the load and after the wait for its end. */
export function account(accepted: number, before: Counts, after: Counts, samples: Sample[], window: Window): Accounting {
  const finished = after.executions.succeeded - before.executions.succeeded
  const failed = after.executions.failed - before.executions.failed
  // A restarted n8n counts the ends of executions anew whose beginnings it counted in its former life.
  const [waitingBefore, waiting] = [Math.max(0, before.underWay), Math.max(0, after.underWay)]
  const lost = Math.max(0, Math.min(accepted, waitingBefore + accepted - finished - failed - waiting))
  return { accepted, finished, failed, waiting, lost, backlogGrowth: backlogGrowth(samples, window) }
}

/** Nobody asked n8n: that it accepted them is all there is to say. */
export const uncounted = (accepted: number): Accounting => ({ accepted, finished: null, failed: null, waiting: null, lost: null, backlogGrowth: null })

/** Fewer than this are the difference between two looks a second apart, not growth. */
const noise = 5

/**
 * Growth of the executions under way over the second half of the load, as a share of those begun in it. The first
 * half is left to executions that take their time: with 5 s each, the number under way rises for 5 s and then stays.
 */
export function backlogGrowth(samples: Sample[], { startedAt, endedAt }: Window): number | null {
  const middle = (startedAt + endedAt) / 2
  const looks = inTime(samples).filter(({ at }) => at >= middle && at <= endedAt)
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last || first === last) return null
  // The trend of all looks: one at an unlucky moment would make a growth of its own.
  const { m: perMillisecond } = linearRegression(looks.map((look) => [look.at, underWay(look)]))
  const grown = perMillisecond * (last.at - first.at)
  const begun = last.started - first.started
  return grown <= noise || begun === 0 ? 0 : grown / begun
}

const underWay = ({ started, succeeded, failed }: Executions) => started - succeeded - failed

/** Executions over all processes, once each of them was looked at anew: what one began another ends. */
function inTime(samples: Sample[]): (Executions & { at: number })[] {
  const newest = new Map<string, Executions>()
  const counting = new Set(samples.filter(({ executions }) => executions).map(({ process }) => process))
  return samples.flatMap(({ at, process, executions }) => {
    if (!executions) return []
    newest.set(process, executions)
    if (newest.size < counting.size) return []
    const round = [...newest.values()]
    newest.clear()
    const sum = (key: keyof Executions) => round.reduce((total, each) => total + each[key], 0)
    return [{ at, started: sum('started'), succeeded: sum('succeeded'), failed: sum('failed') }]
  })
}
