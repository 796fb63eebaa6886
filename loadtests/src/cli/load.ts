import { sum } from 'simple-statistics'
import { answersFor, percentiles } from '../judge/lateness.ts'
import { usage } from '../lib/errors.ts'
import type { Experiment, Slo } from '../model/experiment.ts'
import { type Arrivals, arrivalsOf, type Load, usualMost, weightsOf } from '../model/load.ts'
import { usualShare } from '../model/operating.ts'
import type { CommonOptions, Mix } from './options.ts'

/** The load of a profile, as the options of a command change it. */

const factor = 3
const shortest = 10

/** Precise enough to see a large difference, in a third of the time. */
export function quicker(load: Load): Load {
  if (load.shape === 'search')
    return { ...load, step: Math.max(5, load.step / 2), precision: Math.max(0.1, load.precision) }
  return { ...load, duration: lasting(load.duration, true) }
}

/** Requests a second that a search sends at most to an n8n of others, where nobody named another most. */
const mostToOthers = 100

/** Who is asked to agree reads what is sent at most, so that has to be a load which they can weigh. */
export const toOthers = (load: Load): Load =>
  load.shape === 'search' && load.max === usualMost ? { ...load, max: Math.max(mostToOthers, 2 * load.min) } : load

/** The seconds of a load, shortened with --quick. */
export const lasting = (seconds: number, quick: true | undefined): number =>
  quick ? Math.max(shortest, seconds / factor) : seconds

/** The load, over all workflows at once where that is asked. */
export function asMix(load: Load, mix: Mix | true | undefined): Load {
  if (mix === undefined) return load
  const weights = mix === true ? {} : mix
  switch (load.shape) {
    case 'search':
    case 'mixed':
      return { ...load, weights: { ...load.weights, ...weights } }
    case 'constant':
      return { ...load, shape: 'mixed', weights }
    default:
      throw usage(
        'unmixable',
        `--mix: Expected a load of shape search, constant or mixed, got ${load.shape}.`,
        'Leave --mix out, or use a profile of one of these shapes, such as check.',
      )
  }
}

/** Clients of a closed load wait for each other's answers, so nothing arrives by itself. */
export function arriving(load: Load, arrivals: Arrivals | undefined): Load {
  return arrivals === undefined || load.shape === 'closed' ? load : { ...load, arrivals }
}

/** `--rate` holds for this long, and longer where it needs more answers to tell. */
const heldFor = { least: 30, most: 300 }

export function atRate(
  experiment: Experiment,
  { rate, quick }: { rate?: number } & Pick<CommonOptions, 'quick'>,
): Experiment {
  if (rate === undefined) return experiment
  const { load, slo } = experiment
  if (load.shape === 'mixed') return { ...experiment, load: { ...load, rate } }
  const weights = weightsOf(load)
  const enough = Math.min(heldFor.most, secondsToTell(slo, rate * leastShare(experiment)))
  const steady = {
    rate,
    duration: Math.max(enough, lasting(heldFor.least, quick)),
    timeout: load.timeout,
    ...arrivalsOf(load),
  }
  return { ...experiment, load: weights ? { shape: 'mixed', weights, ...steady } : { shape: 'constant', ...steady } }
}

/** With schedules beside callers: a steady load, over some full minutes; where an option asks for it, once. */
export function besideSchedules(
  experiment: Experiment,
  { copies, repeat }: Pick<CommonOptions, 'copies' | 'repeat'>,
): Experiment {
  if (!experiment.schedules) return experiment
  const steady = experiment.load.shape === 'search' ? atRate(experiment, { rate: usualBeside }) : experiment
  const { load } = steady
  const lasts = 'duration' in load ? { ...load, duration: Math.max(minutes, load.duration) } : load
  return { ...steady, load: lasts, repeat: repeat ?? (copies === undefined ? experiment.repeat : 1) }
}

/** Requests a second, and seconds of load in which schedules are due twice at least. */
const usualBeside = 5
const minutes = 150

/** 1.5 times as many as show that an objective is met if all are in time: a late one should not leave it open. */
const answersToTell = 1.5

/** The share of the workflow that a mix calls least. */
function leastShare({ load, workflows }: Experiment): number {
  const weights = weightsOf(load)
  if (!weights) return 1
  const all = workflows.map((workflow) => weights[workflow] ?? 1)
  return Math.min(...all) / sum(all)
}

/** The time in which a rate brings enough answers for each objective. */
function secondsToTell(slo: Slo, rate: number): number {
  const answers = percentiles.flatMap(({ name, late }) => (slo[name] === undefined ? [] : answersFor(late)))
  // The first tenth does not count.
  return Math.ceil((answersToTell * Math.max(...answers)) / (0.9 * rate))
}

/** A search is followed by a share of what it found; one rate is loaded for as long as that. */
export function lastingFor(seconds: number, { load, hold }: Experiment): Partial<Experiment> {
  if (load.shape === 'search') return { hold: { share: hold?.share ?? usualShare, for: seconds } }
  if (load.shape === 'constant' || load.shape === 'mixed') return { load: { ...load, duration: seconds } }
  throw usage(
    'hold-needs-rate',
    `--hold: Expected one rate, or a search that finds it, got a load of shape ${load.shape}.`,
    'Leave --hold out, give --rate, or use a profile whose load is a search, such as check.',
  )
}
