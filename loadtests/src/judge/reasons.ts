import type { LoadResult } from '../model/load-result.ts'
import { isDeath, type DeathCode, type Exit } from '../model/event.ts'
import type { FoundBottleneck } from './bottlenecks/found.ts'
import type { Bottleneck, Lateness, Reason, ReasonCode } from '../model/step.ts'

/** A reason by its code, with the figures that speak for it. `given`: the advice that an earlier version gave. */
export type FoundReason = { given?: string } & (
  | { code: 'stopped-by-errors'; load: LoadResult; share: number }
  | { code: 'stopped-by-latency'; load: LoadResult; bound: number }
  | { code: 'stopped-by-backlog'; load: LoadResult }
  | ({ code: 'errors'; share: number; bound: number } & Pick<LoadResult, 'requests' | 'failures'> & InTheWay)
  /** The share of the requests that was answered within so many milliseconds. */
  | ({ code: 'latency'; share: number; taken: number; bound: number } & InTheWay)
  | ({ code: 'backlog'; growth: number; bound: number } & Pick<InTheWay, 'bottleneck'>)
  | { code: 'executions-failed'; failed: number; accepted: number }
  | { code: 'executions-lost'; lost: number; accepted: number; ids: string[] }
  | { code: 'silent'; process: string; seconds: number }
  | Death
  | { code: 'too-few'; answers: number; least: number }
  | { code: 'too-short'; lasted: number; ran: number }
  | ({ code: 'generator-behind' } & (
      | { by: 'lag'; lag: number; late: number }
      | { by: 'limit'; cpu: number }
      | { by: 'cores'; busy: number; own: number | null }
      | { by: 'silence' }
    ))
  | { code: 'machine-busy'; waited: number }
)

interface InTheWay {
  /** As it was recorded, if a step is judged again. */
  bottleneck: FoundBottleneck | Bottleneck
  /** In a mix, whose requests they are. */
  workflow?: string
}

export interface Death {
  code: DeathCode
  process: string
  exit: Pick<Exit, 'code' | 'signal'>
  /** Bytes; null where all of the machine's memory was its own. */
  limit: number | null
  /** Bytes at the last look before its end; null where that is unknown. */
  heap: number | null
  /** n8n ran on its own defaults. */
  untuned: boolean
}

/** What was found of a step. `reasons`: with those that were recorded, if it is judged again. */
export interface Judged<Found = FoundReason> {
  holds: boolean
  reasons: Found[]
  lateness?: Lateness[]
}

/**
 * What a reason means for a verdict. `missed`: n8n missed the objective. `spoiled`: the step says nothing of n8n, since
 * something else was in the way. `unknown`: n8n was measured, or started, and what it would have done is not known.
 */
type Meaning = 'missed' | 'spoiled' | 'unknown'

/** Causes come before their consequences: a killed process also answers late and with errors. */
const meanings: Record<ReasonCode, Meaning> = {
  'never-ready': 'unknown',
  'oom-killed': 'missed',
  'heap-exhausted': 'missed',
  crashed: 'missed',
  'machine-busy': 'spoiled',
  'executions-lost': 'missed',
  'executions-failed': 'missed',
  'stopped-by-errors': 'missed',
  'stopped-by-backlog': 'missed',
  'stopped-by-latency': 'missed',
  errors: 'missed',
  backlog: 'missed',
  latency: 'missed',
  silent: 'unknown',
  'generator-behind': 'spoiled',
  'too-short': 'spoiled',
  'too-few': 'spoiled',
  'nothing-held': 'missed',
}

export const byCause = Object.keys(meanings) as ReasonCode[]

/** Of an earlier or a later version, a code that is not known speaks against n8n. */
export const meaningOf = (code: ReasonCode): Meaning => meanings[code] ?? 'missed'

export const spoils = ({ code }: Pick<Reason, 'code'>): boolean => meaningOf(code) === 'spoiled'

/** Whether a process died under load: reported even where some rate held. */
export const died = (reasons: Pick<Reason, 'code'>[]): boolean =>
  reasons.some(({ code }) => code === 'never-ready' || isDeath(code))
