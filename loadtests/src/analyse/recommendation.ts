import type { Recommendation, Result } from './summary.ts'
import type { Experiment, Load } from '../profile/experiment.ts'
import { list, nameOf, rate } from '../figures.ts'
import { atPath, mergeValues } from '../values.ts'
import { noise } from './comparison.ts'
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
  const measured = candidates(results).filter((one) => isComplete(one, experiment))
  const planned = experiment.variants.length
    * Object.values(experiment.matrix).reduce((product, values) => product * values.length, 1)
  // With its rivals unmeasured, the one that was measured is not the best of anything.
  if (measured.length === 1 && planned > 1) return null
  const baseline = candidates(results).find((one) => one[0]!.variant === experiment.variants[0]?.name)
  const fit = measured.filter((one) => carried(one).length > 0 && !isWorse(one, baseline))
  const best = fit.toSorted((a, b) => carried(b).length - carried(a).length || score(b, fit) - score(a, fit))[0]
  if (!best) return null
  const { variant, cell } = best[0]!
  const own = experiment.variants.find((each) => each.name === variant)?.values ?? {}
  // How the lab ran it is nothing to install.
  const { lab: _, ...values } = mergeValues(experiment.base, own, ...Object.entries(cell).map(([path, value]) => atPath(path, value)))
  return {
    variant,
    cell,
    values,
    why: why(best, measured, baseline, experiment.load.shape),
  }
}

const candidates = (results: Result[]): Candidate[] =>
  [...groupBy(results, (result) => JSON.stringify([result.variant, result.cell])).values()]

const isComplete = (one: Candidate, experiment: Experiment): boolean =>
  experiment.workflows.every((workflow) =>
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
  if (measured.length === 1) return told(best)
  if (baseline[0] === best[0]) return `${told(best)} Nothing else that was measured does better without being worse under some workflow.`
  return baseline.length > 0 ? `${told(best)} ${told(baseline)}` : told(best)
}

/** `tuned carries 104/s of ping-webhook and 22/s of expression-webhook.` */
function sentence(one: Candidate, shape: Load['shape']): string {
  const name = nameOf(one[0]!)
  const figures = carried(one).map(({ workflow, capacity }) => `${rate(capacity!.rate)} of ${workflow}`)
  const fates = one.filter((result) => !carried(one).includes(result)).map((result) => `${fate(result)} under ${result.workflow}`)
  const parts = [...(figures.length > 0 ? [`${shape === 'closed' ? 'answers' : 'carries'} ${list(figures)}`] : []), ...fates]
  return `${name} ${list(parts)}.`
}
