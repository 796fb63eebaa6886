import type { DearFunction, ExplainedProcess, Explanation } from '../model/explanation.ts'
import { figure, rate as perSecond } from '../lib/figures.ts'

/** A sampled share, to a whole percent. */
export const wholePercent = (share: number): string => `${Math.round(share * 100)} %`

/** What a process used; isolates of expressions and SQLite work outside its main thread. */
export function usedBy({ elapsed, cpu, idle }: ExplainedProcess): string {
  return `${figure(cpu / elapsed)} cores, ${figure(1 - idle)} of them on its main thread`
}

/** When n8n was profiled, and where the whole profile is. */
export const aboutProfile = ({ rate }: Explanation): string =>
  `Under V8’s profiler${rate === null ? '' : ` at ${perSecond(rate)}`}; shares are of the time in which the main `
  + 'thread worked.'

export const wholeProfile = 'The whole profiles are in the run’s folder, under profiles; Chrome’s DevTools open them.'

export const dearHead = ['Function', 'Where', 'Share']

export const dearRow = ({ name, where, share }: DearFunction): string[] => [name, where || '–', wholePercent(share)]
