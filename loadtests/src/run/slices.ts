import type { Experiment } from '../model/experiment.ts'
import type { Load } from '../model/load.ts'
import type { PlannedStep } from '../model/step.ts'
import { peakOf } from '../load/course.ts'
import { margin, shapeOf, warmUp, type Warming } from './drive-load.ts'
import { isEnough } from './enough.ts'
import type { Recorder } from './record-file.ts'
import type { Measure } from './step.ts'

/** A load that several n8n get in turns, in slices. */

type Given = Exclude<Load, { shape: 'search' }>

/** Seconds: long enough for a figure, short enough that the machine hardly changes between two. */
const slice = 12

/** A load whose rate changes says nothing in parts. */
const secondsOf = (load: Given, shape: PlannedStep['shape']) =>
  shape.kind === 'course' ? load.duration : Math.min(slice, load.duration)

/** Warms n8n up, then drives one slice a turn for as long as there is one. */
export async function driveSlices(
  load: Given,
  measure: Measure,
  warming: Warming,
  nextTurn: () => Promise<boolean>,
): Promise<void> {
  const shape = shapeOf(load)
  if (shape.kind !== 'closed')
    await warmUp(measure, warming, margin * (shape.kind === 'constant' ? shape.rate : peakOf(shape)))
  while (await nextTurn()) await measure(shape, secondsOf(load, shape), { purpose: 'measure', endOnExit: false })
}

/** So few turns do not say how far chance goes. */
const least = 4

/**
 * Whether there is another turn after so many: until the figures are as precise as asked, or the load has lasted for as
 * long as asked. All who take turns get the same answer.
 */
export function slicesLeft({ records }: Pick<Recorder, 'records'>, experiment: Experiment): (turn: number) => boolean {
  const { load, repeat, enough } = experiment
  if (load.shape === 'search') return () => false
  const most = Math.max(least, Math.ceil((repeat * load.duration) / secondsOf(load, shapeOf(load))))
  const answers = new Map<number, boolean>()
  return (turn) => {
    const done = turn - 1
    const known = answers.get(turn) ?? (enough ? !isEnough(records, experiment, done) : done < most)
    answers.set(turn, known)
    return known
  }
}
