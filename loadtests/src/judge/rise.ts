import type { Load } from '../model/load.ts'
import type { Step } from '../model/step.ts'

/** Steps at one rate after the other, with which a load on somebody else's n8n begins. Its own are of clients. */
const isRise = ({ purpose, load }: Step) => purpose === 'warm-up' && load.shape === 'constant'

/**
 * With the steps of the rise that are results. Those of a search all are. Before a given load the rate that held is one
 * where the rise ended at a higher one: then that load was never sent.
 */
export function withRise(shape: Load['shape'], steps: Step[]): Step[] {
  const asMeasured = (step: Step): Step => ({ ...step, purpose: 'measure' })
  if (shape === 'search') return steps.map((step) => (isRise(step) ? asMeasured(step) : step))
  if (steps.some(({ purpose }) => purpose === 'measure')) return steps
  const held = steps.findLast((step) => isRise(step) && step.holds)
  return held ? [...steps, asMeasured(held)] : steps
}
