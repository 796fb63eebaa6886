import { percent } from '../lib/figures.ts'
import type { Sign } from './signs.ts'
import type { Result } from '../model/result.ts'
import type { Slo } from '../model/experiment.ts'

/** How much of a limit was used. */
export interface Used {
  text: string
  share: number
  /** What would be seen of it first. */
  sign: Sign
}

/** How much of what it may use a load took, what is nearest to its limit first. */
export function used({ capacity, resources }: Result, slo: Slo): Used[] {
  const p95 = capacity?.p95 == null ? [] : [use('p95', 'of its objective', capacity.p95 / slo.p95, 'latency')]
  const ofProcesses = resources.flatMap(({ process, cpu, rss, limit }) => [
    ...(cpu && limit.cpu ? [use(`${process}’s CPU`, 'of its limit', cpu.mean / limit.cpu, 'latency')] : []),
    ...(rss && limit.memory ? [use(`${process}’s memory`, 'of its limit', rss.max / limit.memory, 'oom-killed')] : []),
  ])
  return [...p95, ...ofProcesses].toSorted((a, b) => b.share - a.share)
}

/** Shared memory may be counted twice, so that the sum is cut at the limit. */
function use(what: string, of: string, share: number, sign: Sign): Used {
  const most = Math.min(1, share)
  return { text: `${what} at ${percent(Math.round(most * 100) / 100)} ${of}`, share: most, sign }
}
