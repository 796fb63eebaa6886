import type { Area, Case } from './case.ts'
import { compare, type Difference } from './compare.ts'
import { drive, type Course } from './drive.ts'
import { observe, type Observation } from './observe/observe.ts'
import { startSide, type Side } from './side.ts'
import { startStores, type Setup } from './stores.ts'

export interface Wanted {
  version: string
  setup: Setup
  areas: Area[]
  /** What n8n is told on each side beside what both are. */
  env: { plain: Record<string, string>; patched: Record<string, string> }
}

/** What both sides were seen to do, and where they differ. */
export interface Comparison {
  cases: Record<string, { failures: string[]; differences: Difference[] }>
  /** Of everything that is not one case's: tables, metrics, events, files, calls. */
  parts: Record<string, Difference[]>
  /** What each process of the patched side said of its patches when it started. */
  said: string[]
}

interface Outcome {
  courses: Record<string, Course>
  observation: Observation
  said: string[]
}

/** The same traffic on n8n as it comes and on another, at once, and everything that can be seen compared. */
export async function compareSides({ version, setup, areas, env }: Wanted): Promise<Comparison> {
  const cases = areas.flatMap((area) => area.cases).filter(({ since }) => !since || isAtLeast(version, since))
  const stores = await startStores(setup, 2)
  const workflows = cases.flatMap((one) => one.workflows)
  const credentials = areas.flatMap((area) => area.credentials ?? [])
  const outcomes = await Promise.allSettled(
    [env.plain, env.patched].map(async (own, index) => {
      const side = await startSide({ version, setup, stores: stores[index]!, workflows, credentials, env: own })
      return outcomeOf(side, cases)
    }),
  )
  // Only when both have ended, so that none is left running.
  const [left, right] = outcomes.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as [Outcome, Outcome]
  return compareOutcomes(left, right, cases)
}

async function outcomeOf(side: Side, cases: Case[]): Promise<Outcome> {
  try {
    const courses = await drive(side, cases)
    return { courses, observation: await observe(side), said: side.log().match(/^n8n-tuned: .*$/gm) ?? [] }
  } finally {
    await side.stop()
  }
}

function compareOutcomes(left: Outcome, right: Outcome, cases: Case[]): Comparison {
  const sides = [left, right]
  const ofCase = ({ name }: Case) => {
    const [before, after] = sides.map(({ courses, observation }) => observation.comparable(courses[name]!.seen))
    const failures = sides.map(({ courses }, index) => courses[name]!.failure && `${index ? 'patched' : 'plain'}: ${courses[name]!.failure}`)
    return [name, { failures: failures.filter((one) => one !== undefined), differences: compare(before, after) }] as const
  }
  const parts = ['tables', 'metrics', 'events', 'files', 'calls'] as const
  return {
    cases: Object.fromEntries(cases.map(ofCase)),
    said: right.said,
    parts: Object.fromEntries(parts.map((part) => [part, compare(left.observation[part], right.observation[part], part)])),
  }
}

const isAtLeast = (version: string, since: string) => version.localeCompare(since, undefined, { numeric: true }) >= 0
