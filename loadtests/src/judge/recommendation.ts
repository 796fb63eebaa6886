import { atPath, mergeValues } from '../lib/values.ts'
import { candidates, carried, rateOf, type Candidate } from './candidate.ts'
import { noise } from './difference.ts'
import { geometricMean, max } from './statistics.ts'
import type { Recommendation } from '../model/summary.ts'
import { byWhatTheyGiveUp, givesUp, givesUpMore } from './tier.ts'
import { trafficNames, type Experiment } from '../model/experiment.ts'
import type { Result } from '../model/result.ts'
import { figure, list, nameOf, rate } from '../lib/figures.ts'
import { fate } from './words.ts'
import type { Load } from '../model/load.ts'

/**
 * Recommends the tier that gives up least and carries the rate asked for; without such a rate, only tiers that give up
 * nothing count. Within a tier, a candidate that carries more workflows comes first. Among equals the geometric mean of
 * its shares of the best decides. A candidate that is worse than the baseline under any workflow is out.
 */
export function recommend(results: Result[], experiment: Experiment): Recommendation | null {
  const { variants, matrix, load, need } = experiment
  // Variants side by side and runs that leave settings out do not ask what to install.
  if (variants.some(({ beside, without }) => (beside ?? without) !== undefined)) return null
  const measured = candidates(results).filter((one) => isComplete(one, experiment))
  const planned = variants.length * Object.values(matrix).reduce((product, values) => product * values.length, 1)
  // If its rivals were not measured, the only one measured is not the best.
  if (measured.length === 1 && planned > 1) return null
  const baseline = candidates(results).find((one) => one[0]!.variant === variants[0]?.name)
  const priced = load.shape === 'constant' && measured.every(([result]) => result!.cost !== null)
  const choose = (group: Candidate[]) => (priced ? cheapest(group, load.duration) : strongest(group, baseline))
  const enough = need === undefined ? measured : measured.filter((one) => carriesAll(one, need))
  const best = firstOf(byWhatTheyGiveUp(enough, need !== undefined || load.shape === 'constant').map(choose))
  if (!best) return null
  const { variant, cell } = best[0]!
  const own = variants.find((each) => each.name === variant)?.values ?? {}
  const inCell = Object.entries(cell).map(([path, value]) => atPath(path, value))
  // Values that only the lab needs are not recommended.
  const { lab: _, ...values } = mergeValues(experiment.base, own, ...inCell)
  return { variant, cell, values, why: why(best, measured, baseline, experiment) }
}

/** The first tier whose best carries every workflow; otherwise the first that carries any. */
function firstOf(best: (Candidate | undefined)[]): Candidate | undefined {
  const found = best.filter((one) => one !== undefined)
  return found.find((one) => carried(one).length === one.length) ?? found[0]
}

const carriesAll = (one: Candidate, need: number): boolean => one.every(({ workflow }) => rateOf(one, workflow) >= need)

function strongest(group: Candidate[], baseline: Candidate | undefined): Candidate | undefined {
  const fit = group.filter((one) => carried(one).length > 0 && !isWorse(one, baseline))
  return fit.toSorted((a, b) => carried(b).length - carried(a).length || score(b, fit) - score(a, fit))[0]
}

/** At a given rate, all that hold carry the same. So the price decides, among those that held it at full length. */
function cheapest(group: Candidate[], seconds: number): Candidate | undefined {
  const proven = group.filter((one) => one.every((result) => result.verdict.holds && lasted(result) > 0.95 * seconds))
  return proven.toSorted((a, b) => a[0]!.cost! - b[0]!.cost!)[0]
}

const lasted = ({ steps }: Result): number =>
  max([0, ...steps.filter(({ purpose }) => purpose === 'measure').map(({ load }) => load.endedAt - load.startedAt)])
  / 1000

const isComplete = (one: Candidate, experiment: Experiment): boolean =>
  trafficNames(experiment).every((workflow) =>
    one.some((result) => result.workflow === workflow && (result.steps.length > 0 || result.failure)),
  )

function isWorse(one: Candidate, baseline: Candidate = []): boolean {
  return carried(baseline).some((before) => {
    const after = carried(one).find((result) => result.workflow === before.workflow)
    if (!after) return true
    return after.capacity!.rate < before.capacity!.rate * (1 - noise(before.capacity!, after.capacity!))
  })
}

function score(one: Candidate, all: Candidate[]): number {
  return geometricMean(
    carried(one).map(({ workflow, capacity }) => capacity!.rate / max(all.map((each) => rateOf(each, workflow)))),
  )
}

/** Why this one is recommended, what it gives up, and what tiers that give up more would carry. */
function why(
  best: Candidate,
  measured: Candidate[],
  baseline: Candidate | undefined,
  { need, matrix, load: { shape } }: Experiment,
): string {
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
    // Without this sentence, no reader of a report would learn that another tier carried more.
    ...told.flatMap((one) => [sentence(one, shape, true), ...givenUpBy(one)]),
  ].join(' ')
}

const leastOf = ([result]: Candidate, need: number): string =>
  `${nameOf(result!)} has the smallest trade-off of those that sustain ${rate(need)} of every workflow.`

type Shape = Load['shape']

function against(best: Candidate, rivals: Candidate[], baseline: Candidate | undefined, shape: Shape): string[] {
  if (rivals.length === 1 || shape === 'constant' || !baseline) return []
  if (baseline[0] !== best[0]) return [sentence(baseline, shape)]
  return ['Every other candidate is worse under some workflow, or no better under any.']
}

const givenUpBy = ([result]: Candidate): string[] => {
  const given = result!.tier && givesUp(result!.tier)
  return given ? [`With it you lose ${given}.`] : []
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
  const figures = carried(one).map(({ workflow, capacity }) => `${rate(capacity!.rate)} of ${workflow}`)
  const others = one.filter((result) => !carried(one).includes(result))
  const fates = others.map((result: Result) => `${fate(result)} under ${result.workflow}`)
  const carries = figures.length > 0 ? [`${verb[would ? 1 : 0]} ${list(figures)}`] : []
  return `${nameOf(one[0]!)} ${list([...carries, ...fates])}.`
}
