import { count, duration, figure, list, percent, perSecond } from '../lib/figures.ts'
import type { Experiment } from '../model/experiment.ts'
import { settling } from '../model/step.ts'

/** How the load was generated, for a reader who has not seen the profile. */
export function method(experiment: Experiment): string {
  return `${loadOf(experiment)}${unjudged(experiment)}`
}

/** Without this sentence, a reader would not know which answers were left out. */
function unjudged({ load }: Experiment): string {
  const seconds =
    load.shape === 'search' ? load.step : load.shape === 'constant' || load.shape === 'mixed' ? load.duration : null
  if (seconds === null) return ''
  return (
    `; the first ${figure(settling(seconds))} s of each step, in which the generator opens its connections, are `
    + 'excluded from latency only'
  )
}

function loadOf({ load, repeat, enough, workflows }: Experiment): string {
  const times = enough
    ? `, again until figures are off by no more than ${percent(enough.within)}, or `
      + `${duration(enough.budget * 1000)} are over`
    : repeat > 1
      ? `, ${repeat} times`
      : ''
  if (load.shape === 'closed') return `${load.vus} clients, each waiting for its answer, for ${load.duration} s${times}`
  const open = `, arriving ${load.arrivals === 'random' ? 'at random, as from independent callers' : 'evenly'}`
  if (load.shape === 'ramp')
    return `from ${perSecond(load.from)} to ${perSecond(load.to)} within ${load.duration} s${times}${open}`
  if (load.shape === 'spike')
    return `${perSecond(load.rate)}, for the middle fifth of ${load.duration} s ${perSecond(load.peak)}${times}${open}`
  if (load.shape === 'soak') return `${perSecond(load.rate)} for ${duration(load.duration * 1000)}${times}${open}`
  if (load.shape === 'herd')
    return `${count(load.waiting)} callers at once, and ${perSecond(load.rate)} for ${load.duration} s${times}${open}`
  if (load.shape === 'mixed')
    return `${perSecond(load.rate)} for ${load.duration} s over ${mixOf(load.weights, workflows)}${times}${open}`
  if (load.shape === 'constant') return `${perSecond(load.rate)} for ${load.duration} s${times}${open}`
  const mix = load.weights ? `, of ${mixOf(load.weights, workflows)}` : ''
  return (
    `rates between ${perSecond(load.min)} and ${perSecond(load.max)}, steps of ${load.step} s${mix}` + `${times}${open}`
  )
}

const mixOf = (weights: Record<string, number>, workflows: string[]) =>
  list(workflows.map((workflow) => `${workflow} (${figure(weights[workflow] ?? 1)})`))
