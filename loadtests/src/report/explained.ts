import { figure, list } from '../lib/figures.ts'
import type { ExplainedProcess } from '../model/explanation.ts'

/** Smaller shares are not worth acting on. */
const worthNaming = 0.02

/** A sampled share, to a whole percent. */
export const wholePercent = (share: number): string => `${Math.round(share * 100)} %`

/** What a process spent its CPU time on, in a line. */
export function sharesOf({ elapsed, cpu, idle, shares, unexplained }: ExplainedProcess): string {
  const named = shares.filter(({ share }) => share >= worthNaming)
  const rest = 1 - unexplained - named.reduce((sum, { share }) => sum + share, 0)
  const parts = [
    ...named.map(({ what, share }) => `${what} ${wholePercent(share)}`),
    ...(rest >= 0.005 ? [`others ${wholePercent(rest)}`] : []),
    ...(Math.abs(unexplained) >= 0.005 ? [`unexplained ${wholePercent(unexplained)}`] : []),
  ]
  return `${figure(cpu / elapsed)} cores; ${list(parts)}; its main thread was idle ${wholePercent(idle)} of the time`
}
