import { requestsDue, requestsIn, type Schedule } from '../../../scenarios/schedule.ts'
import { aboveOf, countOf, timesIn } from '../../model/distribution.ts'
import type { LoadResult } from '../../model/load-result.ts'
import type { Slo } from '../../model/experiment.ts'
import { settling, type Step } from '../../model/step.ts'
import { ofWorkflow, percentiles } from '../lateness.ts'
import { sum } from '../statistics.ts'
import type { StepDemand } from './demand.ts'
import { random } from './random.ts'
import { marks, type Objective, type SeenAnswers } from './twin.ts'

/** What the generator saw of a step, as the twin compares it. */

/** With fewer answers a step says too little. */
const fewest = 10

/** The one whose answers decide: of a mix, the workflow that came nearest to missing its objective. */
export interface Decisive {
  /** Null for all requests together. */
  workflow: string | null
  objectives: Objective[]
}

export function decisiveOf(steps: Step[], slo: Slo): Decisive | null {
  const groups = [
    ...Map.groupBy(
      steps.flatMap(({ lateness = [] }) => lateness),
      ({ workflow }) => workflow ?? null,
    ),
  ].map(([workflow, all]) => ({
    workflow,
    near: Math.max(
      ...[...Map.groupBy(all, ({ objective }) => objective).values()].map(
        (own) => sum(own.map(({ late }) => late)) / Math.max(1, sum(own.map(({ of }) => of))) / own[0]!.allowed,
      ),
    ),
  }))
  const [nearest = { workflow: null }] = groups.toSorted((a, b) => b.near - a.near)
  const asked = nearest.workflow === null ? slo : ofWorkflow(slo, nearest.workflow)
  const objectives = percentiles.flatMap(({ name, late }) => {
    const bound = asked[name]
    return bound !== undefined && Number.isFinite(bound) ? [{ allowed: late, seconds: bound / 1000 }] : []
  })
  return objectives.length ? { workflow: nearest.workflow, objectives } : null
}

/** Null where the answers are too few, or were not kept. */
export function sentIn({ load }: Step, { workflow, objectives }: Decisive, demand: StepDemand): SeenAnswers | null {
  const part = workflow === null ? load : load.parts?.find((one) => one.workflow === workflow)
  if (part?.distribution === undefined || load.rate === null) return null
  const { distribution } = part
  const answers = countOf(distribution)
  if (answers < fewest) return null
  const { mean, atMost } = timesIn(distribution, 0.05)
  const seconds = (load.endedAt - load.startedAt) / 1000
  return {
    arrivals: arrivalsOf(load, seconds),
    settling: settling(seconds),
    share: Math.min(1, answers / Math.max(1, countOf(load.distribution ?? distribution))),
    mean: mean / 1000,
    above: marks.map((mark) => aboveOf(distribution, mark * objectives[0]!.seconds * 1000).late / answers),
    fastest: atMost / 1000,
    demand: demand.each,
    cpu: demand.cpu,
  }
}

/** The moments of its requests. Earlier runs did not write them down, so each try has moments of its own. */
function arrivalsOf(load: LoadResult, seconds: number): SeenAnswers['arrivals'] {
  const { seed, senders: of = 1, requests, startedAt } = load
  const rate = load.rate!
  const schedule = (own: number): Schedule => ({
    from: rate,
    stages: [{ rate, seconds }],
    arrivals: load.arrivals ?? 'even',
    seed: own,
  })
  // A step that ended early was planned for longer, so its moments are others.
  const known = seed !== undefined && requests === requestsIn(schedule(seed))
  const momentsOf = (own: number, senders: number) =>
    Float64Array.from(
      Array.from({ length: senders }, (_, index) => [...requestsDue(schedule(own), { index, of: senders })]).flat(),
      ({ second }) => second,
    ).sort()
  if (known) {
    const moments = momentsOf(seed, of)
    return () => moments
  }
  const next = random(Math.round(startedAt) % 2 ** 31)
  const tries: Float64Array[] = []
  return (nth) => (tries[nth] ??= momentsOf(Math.floor(next() * 2 ** 31), 1))
}
