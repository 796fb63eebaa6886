import { atPath, mergeValues } from '../lib/values.ts'
import { candidates, sustained, rateOf, type Candidate } from './candidate.ts'
import { noise } from './difference.ts'
import { geometricMean, max } from './statistics.ts'
import { isOf, sustains } from './sustained.ts'
import type { Comparison, Recommendation } from '../model/summary.ts'
import { byWhatTheyGiveUp } from './tier.ts'
import { trafficNames, type Experiment } from '../model/experiment.ts'
import type { Result } from '../model/result.ts'

/**
 * Recommends the tier that gives up least and sustains the rate asked for; without such a rate, only tiers that give up
 * nothing count. Within a tier, a candidate that sustains more workflows comes first. Among equals the geometric mean
 * of its shares of the best decides. A candidate that is worse than the baseline under any workflow is out.
 */
export function recommend(results: Result[], experiment: Experiment, comparison: Comparison[]): Recommendation | null {
  const { variants, matrix, load, need, asks } = experiment
  // Variants side by side, runs that leave settings out, and those of what an execution takes: none asks what to
  // install.
  if (asks === 'demand' || variants.some(({ beside, without }) => (beside ?? without) !== undefined)) return null
  const measured = candidates(results).filter((one) => isComplete(one, experiment))
  const planned = variants.length * Object.values(matrix).reduce((product, values) => product * values.length, 1)
  // If its rivals were not measured, the only one measured is not the best.
  if (measured.length === 1 && planned > 1) return null
  const baseline = candidates(results).find((one) => one[0]!.variant === variants[0]?.name)
  const priced = load.shape === 'constant' && measured.every(([result]) => result!.cost !== null)
  const choose = (group: Candidate[]) => (priced ? cheapest(group, load.duration) : strongest(group, baseline))
  const enough = need === undefined ? measured : measured.filter((one) => sustainsAll(one, need))
  const groups = byWhatTheyGiveUp(enough, need !== undefined || load.shape === 'constant')
  const best = firstOf(groups.map(choose))
  if (!best) return null
  const rivals = groups.flat().filter((one) => one !== best)
  if (need === undefined && load.shape === 'search' && isOpen(best, rivals, comparison)) return null
  const { variant, cell } = best[0]!
  const own = variants.find((each) => each.name === variant)?.values ?? {}
  const inCell = Object.entries(cell).map(([path, value]) => atPath(path, value))
  // Values that only the lab needs are not recommended.
  const { lab: _, ...values } = mergeValues(experiment.base, own, ...inCell)
  return { variant, cell, values }
}

/** The first tier whose best sustains every workflow; otherwise the first that sustains any. */
function firstOf(best: (Candidate | undefined)[]): Candidate | undefined {
  const found = best.filter((one) => one !== undefined)
  return found.find((one) => sustained(one).length === one.length) ?? found[0]
}

/** By what each surely sustains, not by its figure. */
const sustainsAll = (one: Candidate, need: number): boolean =>
  sustained(one).length === one.length && one.every((result) => sustains(result, need) === 'yes')

/**
 * It may be better than the baseline, and may be worse: which of the two to use was not found. Nor is it where the
 * best is the baseline, and a rival may be better.
 */
function isOpen(best: Candidate, rivals: Candidate[], comparison: Comparison[]): boolean {
  const findingsOf = (one: Candidate) =>
    one.flatMap((result) => comparison.find((each) => isOf(each, result))?.finding ?? [])
  const own = findingsOf(best)
  if (own.length > 0) return own.includes('unsure') && !own.includes('better')
  return rivals.map(findingsOf).some((findings) => findings.includes('unsure') && !findings.includes('worse'))
}

function strongest(group: Candidate[], baseline: Candidate | undefined): Candidate | undefined {
  const fit = group.filter((one) => sustained(one).length > 0 && !isWorse(one, baseline))
  return fit.toSorted((a, b) => sustained(b).length - sustained(a).length || score(b, fit) - score(a, fit))[0]
}

/** At a given rate, all that hold sustain the same. So the price decides, among those that held it at full length. */
function cheapest(group: Candidate[], seconds: number): Candidate | undefined {
  const proven = group.filter((one) => one.every((result) => result.verdict.holds && lasted(result) > 0.95 * seconds))
  return proven.toSorted((a, b) => a[0]!.cost! - b[0]!.cost!)[0]
}

const lasted = ({ steps }: Result): number =>
  max([0, ...steps.filter(({ purpose }) => purpose === 'measure').map(({ load }) => load.endedAt - load.startedAt)])
  / 1000

export const isComplete = (one: Candidate, experiment: Experiment): boolean =>
  trafficNames(experiment).every((workflow) =>
    one.some((result) => result.workflow === workflow && (result.steps.length > 0 || result.failure)),
  )

function isWorse(one: Candidate, baseline: Candidate = []): boolean {
  return sustained(baseline).some((before) => {
    const after = sustained(one).find((result) => result.workflow === before.workflow)
    if (!after) return true
    return after.capacity!.rate < before.capacity!.rate * (1 - noise(before.capacity!, after.capacity!))
  })
}

function score(one: Candidate, all: Candidate[]): number {
  return geometricMean(
    sustained(one).map(({ workflow, capacity }) => capacity!.rate / max(all.map((each) => rateOf(each, workflow)))),
  )
}
