import type { Summary } from '../model/summary.ts'
import { rate } from '../lib/figures.ts'
import { toldOf } from './choice.ts'
import { short } from './labels.ts'
import { used } from './room.ts'
import { signOf, signs } from './signs.ts'
import type { Result } from '../model/result.ts'

/** A longer list is not read. */
const MANY = 4

/** What breaks first beyond what n8n carries, and what an operator would see of it. */
export function nextToBreak(summary: Summary): string {
  const told = toldOf(summary)
  if (told.length === 0) return 'Not known: nothing was measured.'
  const broke = told.filter(({ verdict }) => verdict.reasons.length > 0)
  if (broke.length === 0) return nothingBroke(told, summary)
  const several = told.length > 1
  const facts = several ? severally(broke) : [alone(broke[0]!)]
  const first = new Set(broke.map(({ verdict }) => cause(verdict.reasons).code))
  const seen = [...first].flatMap((code) => signOf(code) ?? [])
  return [...facts, ...(seen.length > 0 ? [`Signs: ${seen.slice(0, 2).join(' ')}`] : [])].join(' ')
}

/** That no rate held says less than why. */
const cause = (reasons: Result['verdict']['reasons']) =>
  reasons.find(({ code }) => code !== 'nothing-held') ?? reasons[0]!

function alone({ verdict }: Result): string {
  const { code, text } = cause(verdict.reasons)
  if (code === 'generator-behind') return `The generator, before n8n: what breaks n8n is not known. ${text}`
  return `${verdict.at === null ? '' : `At ${rate(verdict.at)}: `}${short(code)}. ${text}`
}

function severally(broke: Result[]): string[] {
  const named = broke.slice(0, MANY).map(({ workflow, verdict }) => {
    const at = verdict.at === null ? '' : ` at ${rate(verdict.at)}`
    return `${workflow}${at}: ${short(cause(verdict.reasons).code)}.`
  })
  return broke.length > MANY ? [...named, `${broke.length - MANY} more are below.`] : named
}

function nothingBroke(told: Result[], { experiment }: Summary): string {
  const searched = experiment.load.shape === 'search'
  const nothing = searched ? 'Nothing broke, up to the highest rate that was tried.' : 'Nothing broke at this load.'
  const [first] = told.flatMap((result) => used(result, experiment.slo)).toSorted((a, b) => b.share - a.share)
  return first ? `${nothing} Nearest to its limit: ${first.text}. Signs: ${signs[first.sign]}` : nothing
}
