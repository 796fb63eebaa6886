/**
 * The part that every load shape shares: one request to the workflow's webhook, counted by its answer. The lab passes
 * its figures in the environment and reads the summary from SUMMARY.
 */
import { hmac as hmacOf } from 'k6/crypto'
import exec from 'k6/execution'
import http, { type RefinedResponse, type RequestBody } from 'k6/http'
import { b64decode } from 'k6/encoding'
import { Counter, Rate, Trend } from 'k6/metrics'
import { callAt, rowAt } from './calls.ts'
import { ahead, most } from './stop.ts'
import {
  fill,
  filled,
  isExpected,
  readsAnswer,
  signed,
  wrongIn,
  type Body,
  type Hmac,
  type Moment,
  type Opening,
} from './request.ts'

/** Of several generators that share a load: which one this is, and how many there are. */
export const parts = Number(__ENV.PARTS ?? 1)
export const part = Number(__ENV.PART ?? __ENV.JOB_COMPLETION_INDEX ?? 0)

const timeoutMs = Number(__ENV.TIMEOUT ?? 30) * 1000
const timeout = `${timeoutMs}ms`
/** In this first part of a step the generator opens its connections, which makes answers late. */
const settling = Number(__ENV.SETTLING ?? 0) * 1000
/** An answer later than this misses the objective. */
const objective = Number(__ENV.OBJECTIVE ?? Infinity)

/** The same for each of several workflows; a single one does not need it. */
const ofWorkflows = Array.from({ length: Number(__ENV.WORKFLOWS ?? 0) }, (_, index) => ({
  accepted: new Counter(`accepted_${index}`),
  failed: new Counter(`failed_${index}`),
  answer: new Trend(`answer_${index}`, true),
}))
const accepted = new Counter('accepted')
/**
 * The time that a caller waits, to the last byte of the answer. Where requests are due at moments of their own, it
 * begins then, and a request that failed counts as long as its caller would have waited.
 */
const answer = new Trend('answer', true)
const late = new Counter('late')
/** k6 only lists counters that it knows at the start, so every kind of failure has its own. */
const kinds = [
  'refused',
  'reset',
  'timeout',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'wrong_status',
  'wrong_json',
  'wrong_text',
  'other',
  'unsent',
] as const
const failures = Object.fromEntries(kinds.map((kind) => [kind, new Counter(`failure_${kind}`)])) as Record<
  Kind,
  Counter
>
type Kind = (typeof kinds)[number]

/** The share of wrong answers, where too many of them end the load. */
const share = __ENV.STOP ? new Rate('wrong') : null
export const stopping: Record<string, { threshold: string; abortOnFail: boolean }[]> = share
  ? { wrong: [{ threshold: `rate<=${most}`, abortOnFail: true }] }
  : {}
export function setup(): void {
  for (let answer = 0; share && answer < ahead; answer++) share.add(false)
}

/** The labels of every figure, if k6 also writes them to another place. */
export const tags: Record<string, string> = JSON.parse(__ENV.TAGS ?? '{}')

/**
 * The whole distribution, as a number of values with equal weight. So the lab can judge it again, and combine several
 * parts.
 */
const points: string[] = __ENV.POINTS ? __ENV.POINTS.split(',').map((point) => `p(${point})`) : []
export const trend = ['avg', 'med', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max', 'count', ...points]

/** A request of the load. */
export interface Due {
  /** Its number in the whole load. */
  number: number
  /** When it is due, in epoch milliseconds; absent where a client sends one request after the other. */
  at?: number
  /** Milliseconds for which as many requests as may be were under way. */
  waited?: number
}

/** A request that had no answer when the load ended, and was late by then. */
export function countLate(waited: number): void {
  answer.add(waited)
  late.add(1)
}

/** One request, counted by its answer. */
export async function call(due: Due): Promise<void> {
  const { workflow, taken, wrong } = (due.waited ?? 0) > timeoutMs ? givenUp(due) : await answered(due)
  const own = ofWorkflows[workflow]
  share?.add(wrong !== null)
  if (wrong) {
    failures[wrong].add(1)
    own?.failed.add(1)
  } else {
    accepted.add(1)
    own?.accepted.add(1)
  }
  const isSettled = (due.at ?? Date.now() - taken) - exec.scenario.startTime >= settling
  if (!isSettled || (wrong && due.at === undefined)) return
  const waited = wrong ? Math.max(taken, timeoutMs) : taken
  answer.add(waited)
  own?.answer.add(waited)
  if (waited > objective) late.add(1)
}

interface Answered {
  workflow: number
  /** Milliseconds. */
  taken: number
  wrong: Kind | null
}

async function answered({ number, waited = 0 }: Due): Promise<Answered> {
  const { workflow, response, wrong } = await send(number)
  const { blocked, connecting, tls_handshaking, duration } = response.timings
  return { workflow, taken: waited + blocked + connecting + tls_handshaking + duration, wrong }
}

/** It could not be sent for as long as a caller waits: the request counts, although it was never sent. */
function givenUp({ number }: Due): Answered {
  return { workflow: callAt(number).workflow, taken: timeoutMs, wrong: 'unsent' }
}

interface Sent {
  began: number
  /** The index of the workflow that it went to. */
  workflow: number
  response: RefinedResponse<'none' | 'text'>
  /** What is wrong with the answer, if anything is. */
  wrong: Kind | null
}

/** By this, the lab knows n8n's executions of this run from those of others. */
const marked: Record<string, string> = __ENV.MARK ? { 'x-n8n-tuned-run': __ENV.MARK } : {}

interface Sending {
  /** Headers beside those of the request. */
  headers?: Record<string, string>
  /** Keep the text of the answer, also where nothing checks it. */
  keepText?: boolean
}

/** Sends a request. */
export async function send(number: number, { headers: more = {}, keepText = false }: Sending = {}): Promise<Sent> {
  const began = Date.now()
  const { workflow, method, url, headers, body, expect, table, opening, sign } = callAt(number)
  const moment = { counter: number + 1, uuid: crypto.randomUUID(), now: began, row: rowAt(table, number) }
  const sent = body && bodyAt(body, moment)
  const own = { ...filled(headers, moment), ...signed(sign, sent, began, hmac), ...marked, ...more }
  const session = opening && (await sessionAt(url, opening, own))
  const response = await http.asyncRequest(method, fill(url, moment, 'url'), sent, {
    timeout,
    redirects: 0,
    // Each request is that of another caller, who keeps no cookies.
    jar: new http.CookieJar(),
    headers: { ...own, ...session },
    responseType: keepText || readsAnswer(expect) ? 'text' : 'none',
    // Otherwise k6 labels figures with the whole URL, and its query may contain a key.
    tags: { name: url.split('?')[0]! },
  })
  const wrong = isExpected(response.status, expect)
    ? wrongIn(response.body as string, expect, moment)
    : kindOf(response)
  if (wrong && opening) sessions.delete(url)
  return { began, workflow, response, wrong }
}

const hmac: Hmac = ({ hash, secret, encoding }, data) => hmacOf(hash, secret, data, encoding) as string

/** Of this client, by URL. */
const sessions = new Map<string, Promise<Record<string, string>>>()

/** The header that names the client's session, which its first request opens. */
function sessionAt(url: string, opening: Opening, headers: Record<string, string>): Promise<Record<string, string>> {
  const known = sessions.get(url) ?? openSession(url, opening, headers)
  sessions.set(url, known)
  return known
}

async function openSession(
  url: string,
  { body, session }: Opening,
  headers: Record<string, string>,
): Promise<Record<string, string>> {
  const response = await http.asyncRequest('POST', url, body, {
    timeout,
    headers,
    responseType: 'none',
    tags: { name: 'opening' },
  })
  const header = Object.entries(response.headers).find(([name]) => name.toLowerCase() === session)
  if (!header) sessions.delete(url)
  return header ? { [session]: header[1] } : {}
}

/** Each client decodes a file once. */
const decoded = new Map<string, ArrayBuffer>()
function bytesOf(base64: string): ArrayBuffer {
  const bytes = decoded.get(base64) ?? b64decode(base64)
  decoded.set(base64, bytes)
  return bytes
}

function bodyAt(body: Body, moment: Moment): RequestBody {
  if (body.kind === 'text') return fill(body.text, moment, body.escape)
  if (body.kind === 'bytes') return bytesOf(body.base64)
  const files = body.files.map(({ field, name, type, base64 }) => [field, http.file(bytesOf(base64), name, type)])
  return { ...filled(body.fields, moment), ...Object.fromEntries(files) }
}

/** k6's error codes: 1050 timeout, 12xx connection, 1220 reset. */
function kindOf({ status, error_code }: RefinedResponse<'none' | 'text'>): Kind {
  if (status >= 300) return `status_${Math.floor(status / 100)}xx` as Kind
  if (status > 0) return 'wrong_status'
  if (error_code === 1050 || error_code === 1211) return 'timeout'
  if (error_code === 1212) return 'refused'
  if (error_code === 1220) return 'reset'
  return 'other'
}

/** The lab reads SUMMARY and reports in its own words; without it, the scenario prints the result to its log. */
export function summary(data: unknown): Record<string, string> {
  return __ENV.SUMMARY
    ? { [__ENV.SUMMARY]: JSON.stringify(points.length ? withoutOthers(data as Summary) : data) }
    : { stdout: inWords(data as Summary) }
}

/** k6's own times would add as many points, which the lab does not need. */
function withoutOthers({ metrics, ...rest }: Summary): Summary {
  return {
    ...rest,
    metrics: Object.fromEntries(
      Object.entries(metrics).filter(
        ([name, { values }]) => name.startsWith('answer') || name === 'lag' || !('med' in values),
      ),
    ),
  }
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
    '',
  ].join('\n')
}
