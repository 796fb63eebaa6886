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
  /** What is set on the second side only. */
  env: Record<string, string>
}

/** What both sides were seen to do, and where they differ. */
export interface Comparison {
  cases: Record<string, { failures: string[]; differences: Difference[] }>
  /** Of everything that is not one case's: tables, metrics, events, files, calls. */
  parts: Record<string, Difference[]>
}

interface Outcome {
  courses: Record<string, Course>
  observation: Observation
}

/** The same traffic on n8n as it comes and on another, at once, and everything that can be seen compared. */
export async function compareSides({ version, setup, areas, env }: Wanted): Promise<Comparison> {
  const cases = areas.flatMap((area) => area.cases).filter(({ since }) => !since || isAtLeast(version, since))
  const stores = await startStores(setup, 2)
  const workflows = cases.flatMap((one) => one.workflows)
  const credentials = areas.flatMap((area) => area.credentials ?? [])
  const outcomes = await Promise.allSettled(
    [{}, env].map(async (own, index) => {
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
    return { courses, observation: await observe(side) }
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
    parts: Object.fromEntries(parts.map((part) => [part, compare(left.observation[part], right.observation[part], part)])),
  }
}

const isAtLeast = (version: string, since: string) => version.localeCompare(since, undefined, { numeric: true }) >= 0
