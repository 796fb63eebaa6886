import type { Load } from '../model/load.ts'
import type { Step } from '../model/step.ts'

/** Steps at one rate after the other, with which a load on somebody else's n8n begins. Its own are of clients. */
const isRise = ({ purpose, load }: Step) => purpose === 'warm-up' && load.shape === 'constant'

/**
 * With the steps of the rise that are results: of a search the rate that missed, which ended it. Where nothing was
 * measured after the rise, also the last rate that held: then what was asked was never sent.
 */
export function withRise(shape: Load['shape'], steps: Step[]): Step[] {
  const asMeasured = (step: Step): Step => ({ ...step, purpose: 'measure' })
  const missed = (step: Step) => shape === 'search' && isRise(step) && !step.holds
  const told = steps.map((step) => (missed(step) ? asMeasured(step) : step))
  if (steps.some(({ purpose }) => purpose === 'measure')) return told
  const held = steps.findLast((step) => isRise(step) && step.holds)
  if (!held) return told
  // The few answers of one step are a little off the rate by chance.
  const load = { ...held.load, throughput: held.load.rate! }
  return [...told, asMeasured({ ...held, load })]
}
