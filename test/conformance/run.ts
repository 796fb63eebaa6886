import type { Area, Case } from './case.ts'
import { compare, type Difference } from './compare.ts'
import { drive, type Course } from './drive.ts'
import { observe, type Observation } from './observe/observe.ts'
import { startSide, type Side } from './side.ts'
import { startStores, type Setup } from './stores.ts'

export interface Wanted {
  version: string
  setup: Setup
  /** Everything that can be seen is compared after each of these. */
  parts: Area[][]
  /** Settings of each side, beside those of both. */
  env: { plain: Record<string, string>; patched: Record<string, string> }
}

/** Where both sides differ. */
export interface Comparison {
  cases: Record<string, { failures: string[]; differences: Difference[] }>
  /** What is not one case's, after each part of the traffic. */
  seen: Record<Whole, Difference[]>[]
  /** What each process of the patched side reported about its patches at its last start. */
  said: string[]
}

export const wholes = ['tables', 'metrics', 'events', 'files', 'calls'] as const
type Whole = (typeof wholes)[number]

interface Outcome {
  parts: { courses: Record<string, Course>; observation: Observation }[]
  said: string[]
}

/**
 * Sends the same traffic to an unchanged n8n and to another one at the same time, and compares everything that can be
 * seen.
 */
export async function compareSides({ version, setup, parts, env }: Wanted): Promise<Comparison> {
  const areas = parts.flat()
  const knows = ({ since }: Case) => !since || isAtLeast(version, since)
  const cases = parts.map((part) => part.flatMap((area) => area.cases).filter(knows))
  const workflows = cases.flat().flatMap((one) => one.workflows)
  const credentials = areas.flatMap((area) => area.credentials ?? [])
  const stores = await startStores(setup, 2)
  const outcomes = await Promise.allSettled(
    [env.plain, env.patched].map(async (own, index) => {
      const side = await startSide({ version, setup, stores: stores[index]!, workflows, credentials, env: own })
      return outcomeOf(side, cases)
    }),
  )
  // Only when both have ended, so that no process is left running.
  const [left, right] = outcomes.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as [Outcome, Outcome]
  return compareOutcomes(left, right)
}

async function outcomeOf(side: Side, parts: Case[][]): Promise<Outcome> {
  try {
    const driven: Outcome['parts'] = []
    const run = await drive(side, parts.flat())
    for (const cases of parts) {
      const courses = await run(cases)
      const answers = Object.fromEntries(Object.entries(courses).map(([name, { seen }]) => [name, seen]))
      driven.push({ courses, observation: await observe(side, answers) })
    }
    return { parts: driven, said: side.log().match(/^n8n-tuned: .*$/gm) ?? [] }
  } finally {
    await side.stop()
  }
}

function compareOutcomes(left: Outcome, right: Outcome): Comparison {
  const pairs = left.parts.map((part, index) => [part, right.parts[index]!] as const)
  const ofCase = ([before, after]: (typeof pairs)[number], name: string) => {
    const failures = [before, after].map(
      ({ courses }, index) => courses[name]!.failure && `${index ? 'patched' : 'plain'}: ${courses[name]!.failure}`,
    )
    return {
      failures: failures.filter((one) => one !== undefined),
      differences: compare(before.observation.answers[name], after.observation.answers[name]),
    }
  }
  return {
    cases: Object.fromEntries(
      pairs.flatMap((pair) => Object.keys(pair[0].courses).map((name) => [name, ofCase(pair, name)])),
    ),
    seen: pairs.map(
      ([before, after]) =>
        Object.fromEntries(
          wholes.map((whole) => [whole, compare(before.observation[whole], after.observation[whole], whole)]),
        ) as Record<Whole, Difference[]>,
    ),
    said: right.said,
  }
}

const isAtLeast = (version: string, since: string) => version.localeCompare(since, undefined, { numeric: true }) >= 0
