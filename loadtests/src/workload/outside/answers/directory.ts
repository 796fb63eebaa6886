import type { OutsideRule, Hint } from '../../../model/outside.ts'
import { laid } from '../../inferred/fit.ts'
import { credentialMarks } from '../../made/credentials.ts'
import { globbed } from '../rules.ts'
import { serviceFiles, type Route, type ServiceFile } from '../service-files.ts'
import type { ServiceAnswer, Asking } from './asking.ts'
import { s3Bucket, sampleFile, typeOf } from './files.ts'
import { guess } from './guess.ts'
import { fillTemplate } from './template.ts'
import { calendarFree, driveFile, gmailDraft, gmailMessage } from './google.ts'
import {
  anthropicMessages,
  cohereChat,
  cohereEmbeddings,
  geminiContent,
  geminiEmbeddings,
  ollama,
  ollamaEmbeddings,
  openAiChat,
  openAiCompletion,
  openAiEmbeddings,
  openAiResponse,
} from './models.ts'
import { notionPages } from './notion.ts'
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
interface Found {
  /** `guessed`: by the call and what the workflow reads, since no file says how that host answers. */
  outcome: 'answered' | 'guessed'
  answer: ServiceAnswer
  latency: OutsideRule['latency']
}

/** Whether a file of loadtests/services says how that host answers. */
export const isKnownHost = (host: string): boolean =>
  serviceFiles().some(({ hosts }) => hosts.some((known) => globbed(known.toLowerCase())(host.toLowerCase())))

/** What a host answers that no file knows; assumed, for a call to a hosted service. */
const usual = { p50: 200, p95: 600 }

/** Finds the answer for each call that no rule of the user's matches. */
export function openDirectory(hints: Hint[]): (asking: Asking) => Found {
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

  const byMark = Map.groupBy(
    hints.flatMap((hint) => (hint.by ?? []).map((mark) => ({ mark, hint }))),
    ({ mark }) => mark,
  )

  return (asking) => {
    // The credential says which node asks; without one, the address does.
    const marked = marksIn(asking).flatMap((mark) => (byMark.get(mark) ?? []).map(({ hint }) => hint))
    const addressed = asked
      .filter(({ hint, host, path }) => hint.host !== undefined && host(asking.host) && path(asking.path))
      .map(({ hint }) => hint)
      .filter((hint) => (hint.method ?? asking.method) === asking.method)
    const own = addressed.find((hint) => marked.includes(hint)) ?? marked.find(isOfService) ?? addressed[0]
    if (own?.took !== undefined && own.host !== undefined && own.as === undefined)
      return { outcome: 'answered', answer: answerGiven(own.sample), latency: latencyOf(own) }
    for (const { service, hosts, routes } of services) {
      if (!hosts.some((matches) => matches(asking.host.toLowerCase()))) continue
      const route = routes.find(({ method, path }) => (method === '*' || method === asking.method) && path(asking.path))
      if (!route) continue
      return {
        outcome: 'answered',
        answer: isLater(route.route, asking)
          ? { body: [] }
          : filled(
              completed(
                answerOf(route.route, asking, marked.length ? sureOf(marked) : hints),
                own?.host === '*' && !marked.includes(own) ? undefined : (own ?? hintOf(service, hints)),
                route.route,
              ),
              asking,
            ),
        latency: own?.took === undefined ? (route.route.latency ?? service.latency) : latencyOf(own),
      }
    }
    return { outcome: 'guessed', answer: filled(guess(asking, own), asking), latency: usual }
  }
}

/** As the service answered in the execution that was given. */
const answerGiven = (body: unknown): ServiceAnswer =>
  typeof body === 'string'
    ? { headers: { 'content-type': /^\s*</.test(body) ? 'text/html' : 'text/plain' }, body }
    : { body: body ?? {} }

/** One execution tells no spread. */
const latencyOf = ({ took = 0 }: Hint) => ({ p50: took, p95: took })

/** A prompt that is the only one with that credential needs not be found in what is sent. */
const sureOf = (marked: Hint[]): Hint[] =>
  marked.filter(({ prompt }) => prompt !== undefined).length === 1
    ? marked.map((hint) => (hint.prompt === undefined ? hint : { ...hint, prompt: '' }))
    : marked

const isOfService = ({ service }: Hint) => service !== undefined

/** In an address, or in a header as it is or in Base64. */
function marksIn({ path, query, headers }: Asking): string[] {
  const texts = [path, query.toString(), ...Object.values(headers).flat()].filter((one) => one !== undefined)
  const [, basic = ''] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  return [...texts, Buffer.from(basic, 'base64').toString()].flatMap((text) => text.match(credentialMarks) ?? [])
}

function readyRoute(route: Route) {
  const [, method = '*', path = '*'] = /^(?:([A-Z]+|\*) )?(.*)$/.exec(route.on)!
  return { route, method, path: globbed(path) }
}

const isLater = ({ laterBy }: Route, { query }: Asking) =>
  laterBy !== undefined && !['0', null].includes(query.get(laterBy))

/** Samples have fields that differ with each answer. */
const filled = (answer: ServiceAnswer, asking: Asking): ServiceAnswer =>
  typeof answer.body === 'object' && !Buffer.isBuffer(answer.body)
    ? { ...answer, body: fillTemplate(answer.body, asking) }
    : answer

const hintOf = ({ service }: ServiceFile, hints: Hint[]) => hints.find((hint) => hint.service === service)

function answerOf({ status, headers, answer, file, use }: Route, asking: Asking, hints: Hint[]): ServiceAnswer {
  if (use !== undefined) {
    const make = answers[use]
    if (!make) throw new Error(`No answer is called ${use}.`)
    return { status, ...make(asking, hints) }
  }
  if (file !== undefined)
    return { status, headers: { 'content-type': typeOf(file)!, ...headers }, body: sampleFile(file) }
  return { status, headers, body: fillTemplate(answer, asking) }
}

/** What the workflow reads and the file does not know of: a field of the user's own, for example. */
function completed(answer: ServiceAnswer, hint: Hint | undefined, { use }: Route): ServiceAnswer {
  const { body } = answer
  if (!hint || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return answer
  // The text of a model is no field of its answer.
  if (hint.prompt !== undefined) return answer
  if (use !== undefined && use in fromHints && hint.host === undefined) return answer
  return { ...answer, body: laid(body, hint) }
}

type Make = (asking: Asking, hints: Hint[]) => ServiceAnswer

const plain: Record<string, Make> = {
  file: ({ path }) => {
    const ending = path.split('.').at(-1) ?? 'txt'
    return { headers: { 'content-type': typeOf(ending) ?? 'text/plain' }, body: sampleFile(ending) }
  },
  'google.batch': googleBatch,
  'drive.file': driveFile,
  'calendar.free': calendarFree,
  'gmail.message': gmailMessage,
  'gmail.draft': gmailDraft,
  'notion.pages': notionPages,
  's3.bucket': s3Bucket,
}

/** These make what the nodes read of the hints themselves. */
const fromHints: Record<string, Make> = {
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
  'cohere.embeddings': cohereEmbeddings,
  'sheets.values': sheetValues,
  'sheets.sheets': sheetsOf,
  'pinecone.indexes': pineconeIndexes,
  'airtable.records': airtableRecords,
  'postgrest.rows': postgrestRows,
  'vectors.matches': vectorMatches,
  'vectors.points': vectorPoints,
}

/** Answers that take code, by the name with which a file of loadtests/services asks for them. */
export const answers: Record<string, Make> = { ...plain, ...fromHints }
