import { stringify } from 'yaml'
import { fileName, idOf, slug } from '../../lib/names.ts'
import { printable } from '../../lib/printable.ts'
import { isCallable } from '../triggers.ts'
import type { ExecutionHistory } from './history.ts'

/** A workflow as the public API lists it, with the fields that the lab writes down. */
export interface Listed {
  id: string
  name: string
  nodes: {
    type: string
    disabled?: boolean
    credentials?: Record<string, { name?: string }>
    parameters?: { authentication?: string }
  }[]
  connections: object
  settings?: object
  isArchived?: boolean
}

export interface Learned {
  /** Where from. */
  url: string
  days: number
  history: ExecutionHistory
  workflows: Listed[]
  /** The folder of the workflows, as the profile names it. */
  folder: string
  /** The number of executions read, if that did not cover the whole period. */
  cut: number | null
  /** What ended the reading before its time. */
  failure: string | null
}

const day = 86_400_000

/** Milliseconds between the first execution that was read and the last. */
const seenIn = ({ from, to }: ExecutionHistory): number => (from === null || to === null ? 0 : to - from)

/** In less than this, the busiest minute is one of few. */
const leastSeen = day / 24

/** Whether what was read is too little to know the busiest minute. */
export const isUnsure = ({ history, cut, failure }: Pick<Learned, 'history' | 'cut' | 'failure'>): boolean =>
  cut !== null || failure !== null || seenIn(history) < leastSeen

/** The time that the executions cover, which may be shorter than what was asked for: n8n prunes them. */
function window({ history, days }: Pick<Learned, 'history' | 'days'>): string {
  const seen = seenIn(history)
  if (seen >= 0.9 * days * day) return `the last ${days} days`
  const units = [
    ['day', day],
    ['hour', day / 24],
    ['minute', 60_000],
    ['second', 1000],
  ] as const
  const [unit, size] = units.find(([, size]) => seen >= 2 * size) ?? units.at(-1)!
  return `the ${Math.round(seen / size)} ${unit}s that its executions cover`
}

/** The search begins at this rate or below. */
const leastTried = 0.5

/** More workflows than this in one mix add no information. */
const most = 50

/**
 * Workflows as files for --workflow, without data pinned in the editor, which may be personal. Equal names become
 * different ones.
 */
export function filesOf({ workflows }: Learned): Map<string, Omit<Listed, 'isArchived'>> {
  const names = workflows.map(({ name }) => slug(name))
  return new Map(
    workflows.map(({ id: given, name, nodes, connections, settings }, index) => {
      const shared = names.indexOf(names[index]!) !== names.lastIndexOf(names[index]!)
      const id = idOf(given)
      return [
        fileOf(given),
        { id, name: shared ? `${name.slice(0, 40)} ${id}` : name, nodes, connections, settings: settings ?? {} },
      ]
    }),
  )
}

const fileOf = (workflow: string) => `${fileName(idOf(workflow))}.json`

type Loadable = ExecutionHistory['habits'][number] & { name: string; nodes: Listed['nodes'] }

/** Workflows that the lab can load, those with the most executions first. */
function loadableOf(learned: Learned): Loadable[] {
  const files = filesOf(learned)
  return learned.history.habits.flatMap((habit) => {
    const file = files.get(fileOf(habit.workflow))
    return file?.nodes.some(isCallable) ? [{ ...habit, name: slug(file.name), nodes: file.nodes }] : []
  })
}

/** The profile; null where the lab can load none of the workflows. */
export function profileOf(learned: Learned): string | null {
  const { history, url, folder } = learned
  const parts = loadableOf(learned)
  const loaded = parts.slice(0, most)
  if (!history.peak || loaded.length === 0) return null
  const all = parts.reduce((sum, { executions }) => sum + executions, 0)
  const rate = round(
    (history.peak.executions / 60) * (loaded.reduce((sum, { executions }) => sum + executions, 0) / all),
  )
  const failed = loaded.reduce((sum, one) => sum + one.failed, 0) / all
  const profile = {
    name: 'learned',
    question: `How many times the busiest minute of ${new URL(url).host} does it sustain, ${rate} requests a second?`,
    base: {},
    workflows: loaded.map(({ workflow }) => ({ workflow: `${folder}/#${idOf(workflow)}` })),
    need: {
      rate,
      is: `the busiest minute of ${window(learned)}`,
    },
    load: {
      shape: 'search',
      ...(rate < leastTried && { min: rate }),
      weights: Object.fromEntries(loaded.map(({ name, executions }) => [name, executions])),
    },
    slo: {
      p95: `${Math.max(1000, ...loaded.map(({ ran }) => roundUp(ran?.p95 ?? 0)))}ms`,
      errors: `${Math.max(0.1, Math.ceil(failed * 1000) / 10)}%`,
    },
  }
  return [...remarks(learned, loaded, parts.length), stringify(profile, { lineWidth: 0 })].join('\n')
}

/** What only a reader can fill in. */
export function toFillIn(learned: Learned): string[] {
  const locked = loadableOf(learned)
    .slice(0, most)
    .filter(({ nodes }) =>
      nodes.some((node) => isCallable(node) && (node.parameters?.authentication ?? 'none') !== 'none'),
    )
  return [
    'slo.p95 is how long the slowest workflow ran, at least 1s: set what your callers need.',
    'Each workflow is called without a body, and a form gets samples: give its request under workflows '
      + '(docs/workload.md).',
    ...(locked.length
      ? [
          'These ask callers for a credential, which --credentials FILE gives: '
            + `${locked.map(({ name }) => name).join(', ')}.`,
        ]
      : []),
  ]
}

/** What a reader has to know, and fill in. */
function remarks(learned: Learned, loaded: Loadable[], count: number): string[] {
  const { url, history, cut, failure } = learned
  const span =
    history.from !== null && history.to !== null ? `${minute(history.from)} to ${minute(history.to)}` : 'nothing'
  const others = Object.entries(history.others).map(([mode, number]) => `${number} by ${mode}`)
  return [
    `Learned from ${url}: executions of ${window(learned)}, ${span}.`,
    `The busiest minute began at ${new Date(history.peak!.at).toISOString()}: ${history.peak!.executions} `
      + 'executions by webhook.',
    ...(history.weekly ? beforePeak(history.weekly) : []),
    ...(failure === null ? [] : [`Reading ended early, and what was read until then is here: ${failure}`]),
    ...(seenIn(history) < leastSeen ? ['That is too short to know how busy this n8n gets: set need yourself.'] : []),
    ...(cut === null ? [] : [`This covers only the newest ${cut} executions: raise --most to look back further.`]),
    ...(others.length ? [`The load leaves out executions that began otherwise: ${others.join(', ')}.`] : []),
    ...(count > loaded.length
      ? [`The load leaves out the ${count - loaded.length} workflows with the fewest executions.`]
      : []),
    '',
    'Fill in what n8n does not tell:',
    ...toFillIn(learned),
    '',
    ...loaded.map(
      ({ name, executions, failed, ran }) =>
        `${name}: ${executions} executions, ${failed} failed`
        + (ran ? `, ran ${ran.p50} ms (p50) and ${ran.p95} ms (p95)` : ''),
    ),
  ].map((line) => `# ${printable(line).replaceAll(/\s+/g, ' ')}`.trimEnd())
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Values of the chart that have workers there before the busiest hour. How many, a measurement says. */
function beforePeak({ day, hour, executions, times }: NonNullable<ExecutionHistory['weekly']>): string[] {
  // A quarter of an hour before, which may be the day before.
  const before = 24 * day + hour - 1 + 168
  const after = 24 * day + hour + 1
  const cron = (minute: number, ofWeek: number) => `${minute} ${ofWeek % 24} * * ${Math.floor(ofWeek / 24) % 7}`
  return [
    `The busiest hour of each week begins on ${days[day]} at ${hour}:00 UTC, with about ${executions} executions by `
      + `webhook, ${times.toFixed(1)} times as many as usual. Values of the chart for it, with N workers and in UTC:`,
    `worker: { autoscaling: { by: queue, cron: [{ start: "${cron(45, before)}", end: "${cron(0, after)}", `
      + 'replicas: N }] } }',
  ]
}

const minute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
const round = (rate: number) => Math.max(0.01, Number(rate.toPrecision(3)))
/** Rounds up to two digits: 1234 → 1300. */
const roundUp = (ms: number) =>
  ms < 10 ? ms : Math.ceil(ms / 10 ** Math.floor(Math.log10(ms) - 1)) * 10 ** Math.floor(Math.log10(ms) - 1)
