/**
 * What every load shape shares: one request to the workflow's webhook, counted by what came back.
 * The lab passes its figures in the environment and reads the summary from SUMMARY.
 */
import http, { type RefinedResponse } from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import exec from 'k6/execution'

interface Part {
  url: string
  method: string
  weight: number
}

/** Whom to call: one, or of several each as often as its weight says. */
const parts: Part[] = __ENV.MIX ? JSON.parse(__ENV.MIX) : [{ url: __ENV.URL!, method: __ENV.METHOD ?? 'GET', weight: 1 }]
const weights = parts.reduce((sum, { weight }) => sum + weight, 0)
const timeout = `${__ENV.TIMEOUT ?? 30}s`
/** Answers to requests of this beginning of a step are late by the generator's own doing: it opens its connections. */
const settling = Number(__ENV.SETTLING ?? 0) * 1000
/** Beyond this time an answer misses the objective. */
const objective = Number(__ENV.OBJECTIVE ?? Infinity)

/** The same of each of several; a single one has no need of it. */
const ofParts = __ENV.MIX ? parts.map((_, index) => ({ accepted: new Counter(`accepted_${index}`), failed: new Counter(`failed_${index}`), answer: new Trend(`answer_${index}`, true) })) : []
const accepted = new Counter('accepted')
/** From wanting a connection to the last byte, of accepted requests: what a caller feels. */
const answer = new Trend('answer', true)
const late = new Counter('late')
/** k6 lists only the counters it knows at the start, so every kind of failure has its own. */
const kinds = ['refused', 'reset', 'timeout', 'status_3xx', 'status_4xx', 'status_5xx', 'other'] as const
const failures = Object.fromEntries(kinds.map((kind) => [kind, new Counter(`failure_${kind}`)])) as Record<Kind, Counter>
type Kind = (typeof kinds)[number]

/** What every figure is labelled with where k6 also writes them somewhere else. */
export const tags: Record<string, string> = JSON.parse(__ENV.TAGS ?? '{}')

/** A part of a load tells its whole distribution, since percentiles cannot be put together. */
const points: string[] = JSON.parse(__ENV.POINTS ?? '[]')
export const trend = ['avg', 'med', 'p(90)', 'p(95)', 'p(99)', 'max', 'count', ...points]

export function call(): void {
  const began = Date.now()
  const turn = turnOf(exec.scenario.iterationInTest)
  const { method, url } = parts[turn]!
  const own = ofParts[turn]
  const response = http.request(method, url, null, { timeout, redirects: 0, responseType: 'none' })
  if (response.status >= 200 && response.status < 300) {
    accepted.add(1)
    own?.accepted.add(1)
    if (began - exec.scenario.startTime < settling) return
    const { blocked, connecting, tls_handshaking, duration } = response.timings
    const taken = blocked + connecting + tls_handshaking + duration
    answer.add(taken)
    own?.answer.add(taken)
    if (taken > objective) late.add(1)
  } else {
    failures[kindOf(response)].add(1)
    own?.failed.add(1)
  }
}

/** Steps of the golden ratio fill the weights evenly at any moment, where chance would come in clusters. */
function turnOf(iteration: number): number {
  let left = ((iteration * 0.618033988749895) % 1) * weights
  return Math.max(0, parts.findIndex(({ weight }) => (left -= weight) < 0))
}

/** k6's error codes: 1050 timeout, 12xx connection, 1220 reset. */
function kindOf({ status, error_code }: RefinedResponse<'none'>): Kind {
  if (status >= 300) return `status_${Math.floor(status / 100)}xx` as Kind
  if (error_code === 1050 || error_code === 1211) return 'timeout'
  if (error_code === 1212) return 'refused'
  if (error_code === 1220) return 'reset'
  return 'other'
}

/** The lab reads SUMMARY and says it in its own words; without one it is said here, to whoever reads the log. */
export function summary(data: unknown): Record<string, string> {
  return __ENV.SUMMARY ? { [__ENV.SUMMARY]: JSON.stringify(points.length ? withoutOthers(data as Summary) : data) } : { stdout: inWords(data as Summary) }
}

/** k6's own times have as many points, and nobody reads them. */
function withoutOthers({ metrics, ...rest }: Summary): Summary {
  return { ...rest, metrics: Object.fromEntries(Object.entries(metrics).filter(([name, { values }]) => name.startsWith('answer') || !('med' in values))) }
}

interface Summary {
  metrics: Record<string, { values: Record<string, number> }>
}

function inWords({ metrics }: Summary): string {
  const of = (metric: string, value: string): number => metrics[metric]?.values[value] ?? 0
  const milliseconds = ['med', 'p(95)', 'p(99)', 'max'].map((value) => `${value} ${Math.round(of('answer', value))} ms`)
  return [
    `accepted: ${of('accepted', 'count')}, ${of('accepted', 'rate').toFixed(1)} a second`,
    `answered after: ${milliseconds.join(', ')}`,
    ...kinds.map((kind) => `failed by ${kind}: ${of(`failure_${kind}`, 'count')}`),
    `not sent, too few clients: ${of('dropped_iterations', 'count')}`,
    '',
  ].join('\n')
}
