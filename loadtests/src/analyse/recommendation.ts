import type { Recommendation, Result } from './summary.ts'
import type { Experiment, Load } from '../profile/experiment.ts'
import { figure, list, nameOf, rate } from '../figures.ts'
import { trafficNames } from '../traffic.ts'
import { atPath, mergeValues } from '../values.ts'
import { noise } from './noise.ts'
import { geometricMean, groupBy, max } from './statistics.ts'
import { fate } from './words.ts'

/** One set of values, with its result under each workflow. */
type Candidate = Result[]

/**
 * The values that carry the most over all workflows. A candidate that carries more workflows
 * comes first; among equals the geometric mean of its shares of the best decides, and nobody
 * is recommended who is worse than the baseline under any workflow.
 */
export function recommend(results: Result[], experiment: Experiment): Recommendation | null {
  // Side by side it was not asked what carries the most.
  if (experiment.variants.some(({ beside }) => beside !== undefined)) return null
  const measured = candidates(results).filter((one) => isComplete(one, experiment))
  const planned = experiment.variants.length
    * Object.values(experiment.matrix).reduce((product, values) => product * values.length, 1)
  // With its rivals unmeasured, the one that was measured is not the best of anything.
  if (measured.length === 1 && planned > 1) return null
  const baseline = candidates(results).find((one) => one[0]!.variant === experiment.variants[0]?.name)
  const best = experiment.load.shape === 'constant' && measured.every(([result]) => result!.cost !== null)
    ? cheapest(measured, experiment.load.duration)
    : strongest(measured, baseline)
  if (!best) return null
  const { variant, cell } = best[0]!
  const own = experiment.variants.find((each) => each.name === variant)?.values ?? {}
  // How the lab ran it is nothing to install.
  const { lab: _, ...values } = mergeValues(experiment.base, own, ...Object.entries(cell).map(([path, value]) => atPath(path, value)))
  return {
    variant,
    cell,
    values,
    why: why(best, measured, baseline, experiment.load.shape) + bargain(best, measured, experiment.load.shape),
  }
}

function strongest(measured: Candidate[], baseline: Candidate | undefined): Candidate | undefined {
  const fit = measured.filter((one) => carried(one).length > 0 && !isWorse(one, baseline))
  return fit.toSorted((a, b) => carried(b).length - carried(a).length || score(b, fit) - score(a, fit))[0]
}

/** Where the rate is given, all that hold carry the same: the price decides, of those that held it at full length. */
function cheapest(measured: Candidate[], seconds: number): Candidate | undefined {
  const proven = measured.filter((one) => one.every((result) => result.verdict.holds && lasted(result) > 0.95 * seconds))
  return proven.toSorted((a, b) => a[0]!.cost! - b[0]!.cost!)[0]
}

const lasted = ({ steps }: Result): number =>
  max([0, ...steps.filter(({ purpose }) => purpose === 'measure').map(({ load }) => (load.endedAt - load.startedAt) / 1000)])

const candidates = (results: Result[]): Candidate[] =>
  [...groupBy(results, (result) => JSON.stringify([result.variant, result.cell])).values()]

const isComplete = (one: Candidate, experiment: Experiment): boolean =>
  trafficNames(experiment).every((workflow) =>
    one.some((result) => result.workflow === workflow && (result.steps.length > 0 || result.failure)))

const carried = (one: Candidate): Result[] => one.filter((result) => result.verdict.holds && result.capacity)

const rateOf = (one: Candidate, workflow: string): number =>
  carried(one).find((result) => result.workflow === workflow)?.capacity?.rate ?? 0

function isWorse(one: Candidate, baseline: Candidate = []): boolean {
  return carried(baseline).some((before) => {
    const after = carried(one).find((result) => result.workflow === before.workflow)
    if (!after) return true
    return after.capacity!.rate < before.capacity!.rate * (1 - noise(before.capacity!, after.capacity!))
  })
}

function score(one: Candidate, all: Candidate[]): number {
  return geometricMean(carried(one).map(({ workflow, capacity }) =>
    capacity!.rate / max(all.map((each) => rateOf(each, workflow)))))
}

function why(best: Candidate, measured: Candidate[], baseline: Candidate = [], shape: Load['shape']): string {
  const told = (one: Candidate): string => sentence(one, shape)
  if (measured.length === 1 || shape === 'constant') return told(best)
  if (baseline[0] === best[0]) return `${told(best)} Nothing else that was measured does better without being worse under some workflow.`
  return baseline.length > 0 ? `${told(best)} ${told(baseline)}` : told(best)
}

/** Where there is one: ` It costs 2.5; of 24 configurations between 1.25 and 9 the cheapest that carries it.` */
function bargain(best: Candidate, measured: Candidate[], shape: Load['shape']): string {
  const costs = measured.map(([result]) => result!.cost)
  if (shape !== 'constant' || measured.length < 2 || costs.some((cost) => cost === null)) return ''
  const [least, most] = [Math.min(...(costs as number[])), Math.max(...(costs as number[]))]
  if (least === most) return ''
  return ` It costs ${figure(best[0]!.cost!)}: of ${measured.length} configurations, which cost between ${figure(least)} and ${figure(most)}, the cheapest that was seen to carry it.`
}

/** `tuned carries 104/s of ping-webhook and 22/s of expression-webhook.` */
function sentence(one: Candidate, shape: Load['shape']): string {
  const name = nameOf(one[0]!)
  const figures = carried(one).map(({ workflow, capacity }) => `${rate(capacity!.rate)} of ${workflow}`)
  const fates = one.filter((result) => !carried(one).includes(result)).map((result) => `${fate(result)} under ${result.workflow}`)
  const parts = [...(figures.length > 0 ? [`${shape === 'closed' ? 'answers' : 'carries'} ${list(figures)}`] : []), ...fates]
  return `${name} ${list(parts)}.`
}
