import { isValid } from './reasons.ts'
import { metBy, pooled } from './lateness.ts'
import { min } from './statistics.ts'
import { withRise } from './rise.ts'
import { tellOf } from './tries.ts'
import { isStopped } from './verdict.ts'
import type { Load } from '../model/load.ts'
import type { Capacity, Result, ResultReason, ResultVerdict } from '../model/result.ts'
import { ReasonCode, type Lateness, type Reason, type Step } from '../model/step.ts'

/**
 * Whether the result holds, and the reasons against it: those above its capacity if it has one, otherwise those against
 * any rate.
 */
export function verdictOf(
  shape: Load['shape'],
  steps: Step[],
  capacity: Capacity | null,
  failure: Result['failure'],
): ResultVerdict {
  const stopped = steps.filter(isStopped)
  const broken =
    stopped.length > 0 ? stopped : limiting(shape, shape === 'search' ? withRise(shape, steps) : steps, capacity)
  const reasons: ResultReason[] = unique(broken.flatMap((step) => step.reasons))
  const measured = steps.filter((step) => step.purpose === 'measure')
  // A search that found its rate is complete, whatever happened to n8n above that rate.
  const failed = failure && !(shape === 'search' && capacity) ? failure : null
  const holds =
    capacity !== null
    && !failed
    && stopped.length === 0
    && (shape === 'search' || (measured.length > 0 && measured.every((step) => step.holds)))
  const at = broken[0]?.load.rate ?? null
  if (shape === 'search' && !capacity && at !== null && stopped.length === 0 && broken.some(isValid))
    reasons.push({ code: 'nothing-held', lowest: at })
  if (failed) reasons.unshift({ code: 'never-ready', failure: { code: failed.code, message: failed.message } })
  const unsure = shape === 'search' ? [] : undecided(measured)
  return { holds, at, reasons: sorted(reasons), ...(unsure.length && { unsure }) }
}

/** All answers for each objective together, when they leave it open whether it is met. */
function undecided(measured: Step[]): Lateness[] {
  const steps = measured.filter(isValid)
  if (steps.length === 0 || steps.some(({ lateness }) => !lateness) || tellOf(steps).sure) return []
  return pooled(steps.map(({ lateness }) => lateness!)).filter((one) => metBy([[one]]) === null)
}

/** The failed steps that explain a result: those at the rate where it broke. */
function limiting(shape: Load['shape'], steps: Step[], capacity: Capacity | null): Step[] {
  const failed = steps.filter((step) => step.purpose === 'measure' && !step.holds)
  if (shape !== 'search') return failed.length > 0 || steps.some(isMeasured) ? failed : failedWarmUp(steps)
  if (capacity?.brokeAt) return failed.filter((step) => isValid(step) && step.load.rate === capacity.brokeAt)
  const above = failed.filter((step) => (step.load.rate ?? 0) > (capacity?.rate ?? 0))
  // Without a broken rate, the search stopped because of a step that the generator spoiled.
  const telling = above.some(isValid) && !capacity ? above.filter(isValid) : above.filter((step) => !isValid(step))
  if (telling.length === 0) return capacity ? [] : failedWarmUp(steps)
  const lowest = min(telling.map((step) => step.load.rate ?? 0))
  return telling.filter((step) => (step.load.rate ?? 0) === lowest)
}

const isMeasured = ({ purpose }: Step) => purpose === 'measure'

/** For an n8n that broke before anything was measured: where it did at last. */
function failedWarmUp(steps: Step[]): Step[] {
  const failed = steps.filter((step) => step.purpose === 'warm-up' && !step.holds)
  const telling = failed.filter(isValid)
  return telling.length > 0 ? telling.filter(({ load }) => load.rate === telling.at(-1)!.load.rate) : failed
}

function unique(reasons: Reason[]): Reason[] {
  return [...new Map(reasons.toReversed().map((reason) => [reason.code, reason])).values()]
}

const byCause = ReasonCode.options

function sorted(reasons: ResultReason[]): ResultReason[] {
  return reasons.toSorted((a, b) => byCause.indexOf(a.code) - byCause.indexOf(b.code))
}
