import { candidates, sustained, type Candidate } from '../judge/candidate.ts'
import { isRecommended } from '../judge/answer.ts'
import { isComplete } from '../judge/recommendation.ts'
import { givesUpMore } from '../judge/tier.ts'
import { figure, list, nameOf, perSecond } from '../lib/figures.ts'
import { fateInWords } from './labels.ts'
import type { Load } from '../model/load.ts'
import type { Result } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'

/** Why this one is recommended, what it gives up, and what tiers that give up more would sustain. */
export function whyRecommended({ results, experiment, recommendation }: Summary): string {
  if (!recommendation) return ''
  const {
    need,
    matrix,
    variants,
    load: { shape },
  } = experiment
  const measured = candidates(results).filter((one) => isComplete(one, experiment))
  const baseline = candidates(results).find((one) => one[0]!.variant === variants[0]?.name)
  const best = measured.find(([result]) => isRecommended(result!, { recommendation }))
  // Of an earlier version, whose words came with its figures.
  if (!best) return ''
  const further = measured.filter((one) => givesUpMore(one, best))
  const asked = need !== undefined || shape === 'constant'
  const told = asked || Object.keys(matrix).length > 0 ? [] : further
  return [
    ...(need === undefined ? [] : [leastOf(best, need)]),
    sentence(best, shape),
    ...givenUpBy(best),
    ...against(
      best,
      measured.filter((one) => !further.includes(one)),
      baseline,
      shape,
    ),
    ...bargain(best, measured, shape),
    // Without this sentence, no reader of a report would learn that another tier sustained more.
    ...told.flatMap((one) => [sentence(one, shape, true), ...givenUpBy(one)]),
  ].join(' ')
}

const leastOf = ([result]: Candidate, need: number): string =>
  `${nameOf(result!)} has the smallest trade-off of those that sustain ${perSecond(need)} of every workflow.`

type Shape = Load['shape']

function against(best: Candidate, rivals: Candidate[], baseline: Candidate | undefined, shape: Shape): string[] {
  if (rivals.length === 1 || shape === 'constant' || !baseline) return []
  if (baseline[0] !== best[0]) return [sentence(baseline, shape)]
  return ['Every other candidate is worse under some workflow, or no better under any.']
}

const givenUpBy = ([result]: Candidate): string[] => {
  const { givesUp = [] } = result!.tier ?? {}
  return givesUp.length > 0 ? [`With it you lose ${list(givesUp)}.`] : []
}

/** For example: `It costs 2.5: of 24 configurations, which cost between 1.25 and 9, the cheapest …` */
function bargain(best: Candidate, measured: Candidate[], shape: Shape): string[] {
  const costs = measured.map(([result]) => result!.cost)
  if (shape !== 'constant' || measured.length < 2 || costs.some((cost) => cost === null)) return []
  const [least, most] = [Math.min(...(costs as number[])), Math.max(...(costs as number[]))]
  if (least === most) return []
  const range = `of ${measured.length} configurations, which cost between ${figure(least)} and ${figure(most)}`
  return [`It costs ${figure(best[0]!.cost!)}: ${range}, the cheapest that was seen to sustain it.`]
}

/** `tuned sustains 104/s of ping-webhook and 22/s of expression-webhook.` */
function sentence(one: Candidate, shape: Shape, would = false): string {
  const verb = shape === 'closed' ? ['answers', 'would answer'] : ['sustains', 'would sustain']
  const figures = sustained(one).map(({ workflow, capacity }) => `${perSecond(capacity!.rate)} of ${workflow}`)
  const others = one.filter((result) => !sustained(one).includes(result))
  const fates = others.map((result: Result) => `${fateInWords(result)} under ${result.workflow}`)
  const sustains = figures.length > 0 ? [`${verb[would ? 1 : 0]} ${list(figures)}`] : []
  return `${nameOf(one[0]!)} ${list([...sustains, ...fates])}.`
}
