import { isDeepStrictEqual } from 'node:util'
import type { Answered } from '../model/answer.ts'
import { answerOf } from './answer.ts'
import type { Gate } from '../model/gate.ts'
import { cellKey, type Result } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'
import { gateOf, measuredOf, usualBounds } from './gate.ts'

/** Runs over time: what each found, and what one says against another. */

export interface Found {
  workflow: string
  /** The configuration. */
  variant: string
  cell: Result['cell']
  /** The image's tag; null where the run did not choose it. */
  release: string | null
  capacity: Result['capacity']
  answered: Answered
}

export interface Kept {
  id: string
  startedAt: string
  profile: string
  outcome: Summary['outcome']
  /** Of the whole run. */
  answered: Answered
  found: Found[]
}

export interface Pair {
  earlier: string
  later: string
  gate: Gate
  /** What both runs set, and set otherwise; undefined where one did not set it. */
  changed: { what: string; from: unknown; to: unknown }[]
}

export interface History {
  /** By the time when they began. */
  runs: Kept[]
  /** Of each run with each later one, among the newest. */
  pairs: Pair[]
}

/** With more runs, the page of pairs would be as large as all of their reports. */
const paired = 40

export function historyOf(summaries: Summary[]): History {
  const ordered = summaries.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
  const newest = ordered.slice(-paired)
  return {
    runs: ordered.map(keptOf),
    pairs: newest.flatMap((earlier, index) => newest.slice(index + 1).map((later) => pairOf(earlier, later))),
  }
}

function keptOf(summary: Summary): Kept {
  const { id, startedAt, experiment, outcome, results } = summary
  // Runs of earlier versions have none in their summary.
  const answer = summary.answer ?? answerOf(summary)
  return {
    id,
    startedAt,
    profile: experiment.name,
    outcome,
    answered: answer.answered,
    found: results.map(({ workflow, variant, cell, values, capacity }, index) => ({
      workflow,
      variant,
      cell,
      release: releaseOf(values),
      capacity,
      answered: answer.configurations[index]!.answered,
    })),
  }
}

/** The same verdicts as `compare --against`, with its usual bounds. */
function pairOf(earlier: Summary, later: Summary): Pair {
  const asked = {
    bounds: usualBounds,
    earlier: {
      id: earlier.id,
      calibration: earlier.environment.calibration?.rate ?? null,
      results: earlier.results.map(measuredOf),
    },
  }
  const calibration = later.environment.calibration?.rate ?? null
  return {
    earlier: earlier.id,
    later: later.id,
    gate: gateOf(asked, later.results, later.experiment.variants, calibration)!,
    changed: changesBetween(earlier, later),
  }
}

type Settings = Record<string, unknown>

/** Of the machine, of programs, and of each result that both have; the same change counts once. */
function changesBetween(earlier: Summary, later: Summary): Pair['changed'] {
  const both = later.results.flatMap((now) => {
    const was = earlier.results.find((one) => cellKey(one) === cellKey(now))
    return was ? changes(dotted(was.values), dotted(now.values)) : []
  })
  const all = [...changes(surroundings(earlier), surroundings(later)), ...both]
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

const surroundings = ({ environment: { machine, versions } }: Summary): Settings => ({
  ...(machine && { machine: machine.cpu }),
  ...versions,
})

function dotted(value: unknown, path = ''): Settings {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [path]: value }
  return Object.assign({}, ...Object.entries(value).map(([key, one]) => dotted(one, path ? `${path}.${key}` : key)))
}

function changes(from: Settings, to: Settings): Pair['changed'] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((what) => !isDeepStrictEqual(from[what], to[what]))
    .map((what) => ({ what, from: from[what], to: to[what] }))
}

function releaseOf(values: Settings): string | null {
  const { tag } = (values.image ?? {}) as { tag?: unknown }
  return typeof tag === 'string' || typeof tag === 'number' ? String(tag) : null
}
