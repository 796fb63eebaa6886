import type { Call } from '../../model/outside.ts'
import { patternOf } from './pattern.ts'
import type { CallAsked } from './rules.ts'

interface Tally {
  add(asked: CallAsked, outcome: Call['outcome'], ms: number): void
  calls(): Call[]
}

/** The most kinds of calls that are counted separately. A workflow with more puts changing text into its hosts. */
const most = 500
/** How many waits of each kind are kept, spread over all of them. */
const kept = 2000

interface Kind extends Omit<Call, 'waited'> {
  waits: number[]
  sum: number
}

export function openCallTally(random: () => number = Math.random): Tally {
  const kinds = new Map<string, Kind>()
  return {
    add({ host, method, path }, outcome, ms) {
      const pattern = patternOf(path)
      const own = `${outcome} ${method} ${host}${pattern}`
      const key = kinds.has(own) || kinds.size < most ? own : outcome
      const others = { host: '(other hosts)', method: '', path: '', outcome }
      const kind = kinds.get(key) ?? {
        ...(key === own ? { host, method, path: pattern, outcome } : others),
        count: 0,
        waits: [],
        sum: 0,
      }
      kinds.set(key, kind)
      keep(kind, ms, random)
    },
    calls: () =>
      [...kinds.values()]
        .map(({ waits, sum, ...kind }) => ({
          ...kind,
          waited: { mean: Math.round((10 * sum) / kind.count) / 10, ...percentiles(waits) },
        }))
        .sort((a, b) => b.count - a.count),
  }
}

/** A sample in which every wait so far has the same chance to be. */
function keep(kind: Kind, ms: number, random: () => number): void {
  kind.count++
  kind.sum += ms
  const place = kind.count <= kept ? kind.count - 1 : Math.floor(random() * kind.count)
  if (place < kept) kind.waits[place] = ms
}

function percentiles(waits: number[]): Omit<Call['waited'], 'mean'> {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}
