import type { OutsideRule } from '../../../model/outside.ts'
import { fitted } from '../../inferred/fit.ts'
import { globbed } from '../rules.ts'
import { serviceFiles, type Route, type Service } from '../service-files.ts'
import type { Answered, Asking, Hint } from './asking.ts'
import { sampleFile, typeOf } from './files.ts'
import { guess, type As } from './guess.ts'
import { render } from './template.ts'
import { driveFile, gmailMessage } from './google.ts'
import {
  anthropicMessages,
  cohereChat,
  geminiContent,
  geminiEmbeddings,
  ollama,
  ollamaEmbeddings,
  openAiChat,
  openAiCompletion,
  openAiEmbeddings,
  openAiResponse,
} from './models.ts'
import {
  airtableRecords,
  googleBatch,
  pineconeIndexes,
  postgrestRows,
  sheetsOf,
  sheetValues,
  vectorMatches,
  vectorPoints,
} from './tables.ts'

/** An answer for a call, and how it was found. */
export interface Found {
  /** `guessed`: by the call and what the workflow reads, since no file says how that host answers. */
  outcome: 'answered' | 'guessed'
  answer: Answered
  latency: OutsideRule['latency']
}

/** Whether a file of loadtests/services says how that host answers. */
export const isKnownHost = (host: string): boolean =>
  serviceFiles().some(({ hosts }) => hosts.some((known) => globbed(known.toLowerCase())(host.toLowerCase())))

/** What a host answers that no file knows; assumed, for a call to a hosted service. */
const usual = { p50: 200, p95: 600 }

/** Finds the answer for each call that no rule of the user's matches. */
export function openDirectory(hints: (Hint & { as?: As })[]): (asking: Asking) => Found {
  const services = serviceFiles().map((service) => ({
    service,
    hosts: service.hosts.map((host) => globbed(host.toLowerCase())),
    routes: service.routes.map(readyRoute),
  }))
  // Of several workflows, an address comes before what only an expression knows.
  const byAddress = hints.toSorted((a, b) => Number(a.host === '*') - Number(b.host === '*'))
  const asked = byAddress.map((hint) => ({
    hint,
    host: globbed((hint.host ?? '').toLowerCase()),
    path: globbed(hint.path ?? '*'),
  }))

  return (asking) => {
    const own = asked.find(
      ({ hint, host, path }) =>
        hint.host !== undefined
        && host(asking.host)
        && path(asking.path)
        && (hint.method ?? asking.method) === asking.method,
    )?.hint
    for (const { service, hosts, routes } of services) {
      if (!hosts.some((matches) => matches(asking.host.toLowerCase()))) continue
      const route = routes.find(({ method, path }) => (method === '*' || method === asking.method) && path(asking.path))
      if (!route) continue
      return {
        outcome: 'answered',
        answer: filled(
          completed(
            answerOf(route.route, asking, hints),
            own?.host === '*' ? undefined : (own ?? hintOf(service, hints)),
            route.route,
          ),
          asking,
        ),
        latency: route.route.latency ?? service.latency,
      }
    }
    return { outcome: 'guessed', answer: filled(guess(asking, own), asking), latency: usual }
  }
}

function readyRoute(route: Route) {
  const [, method = '*', path = '*'] = /^(?:([A-Z]+|\*) )?(.*)$/.exec(route.on)!
  return { route, method, path: globbed(path) }
}

/** Samples have fields that differ with each answer. */
const filled = (answer: Answered, asking: Asking): Answered =>
  typeof answer.body === 'object' && !Buffer.isBuffer(answer.body)
    ? { ...answer, body: render(answer.body, asking) }
    : answer

const hintOf = ({ service }: Service, hints: Hint[]) => hints.find((hint) => hint.service === service)

function answerOf({ status, headers, answer, file, use }: Route, asking: Asking, hints: Hint[]): Answered {
  if (use !== undefined) {
    const make = answers[use]
    if (!make) throw new Error(`No answer is called ${use}.`)
    return { status, ...make(asking, hints) }
  }
  if (file !== undefined)
    return { status, headers: { 'content-type': typeOf(file)!, ...headers }, body: sampleFile(file) }
  return { status, headers, body: render(answer, asking) }
}

/** What the workflow reads and the file does not know of: a field of the user's own, for example. */
function completed(answer: Answered, hint: Hint | undefined, { use }: Route): Answered {
  const { body } = answer
  if (!hint || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return answer
  // These make rows of the hints themselves; and the text of a model is no field of its answer.
  if (use !== undefined && hint.host === undefined) return answer
  return {
    ...answer,
    body:
      Array.isArray(body) && !Array.isArray(hint.sample) ? body.map((one) => fitted(one, hint)) : fitted(body, hint),
  }
}

/** Answers that take code, by the name with which a file of loadtests/services asks for them. */
export const answers: Record<string, (asking: Asking, hints: Hint[]) => Answered> = {
  file: ({ path }) => {
    const ending = path.split('.').at(-1) ?? 'txt'
    return { headers: { 'content-type': typeOf(ending) ?? 'text/plain' }, body: sampleFile(ending) }
  },
  'openai.chat': openAiChat,
  'openai.completion': openAiCompletion,
  'openai.response': openAiResponse,
  'openai.embeddings': openAiEmbeddings,
  'anthropic.messages': anthropicMessages,
  'gemini.content': geminiContent,
  'gemini.embeddings': geminiEmbeddings,
  'ollama.answer': ollama,
  'ollama.embeddings': ollamaEmbeddings,
  'cohere.chat': cohereChat,
  'sheets.values': sheetValues,
  'sheets.sheets': sheetsOf,
  'pinecone.indexes': pineconeIndexes,
  'airtable.records': airtableRecords,
  'postgrest.rows': postgrestRows,
  'vectors.matches': vectorMatches,
  'vectors.points': vectorPoints,
  'google.batch': googleBatch,
  'drive.file': driveFile,
  'gmail.message': gmailMessage,
}
