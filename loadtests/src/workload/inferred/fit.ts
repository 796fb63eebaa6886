import type { AnswerFit } from '../../model/outside.ts'
import type { Shape } from './shape.ts'
import { mostValues, sampleOf } from './sample.ts'

export const fitOf = (shape: Shape): AnswerFit | null =>
  shape.isRead || shape.values.length || shape.parts.length || shape.starts !== null || shape.ends !== null
    ? { sample: sampleOf(shape), must: mustOf(shape) ?? null }
    : null

/** Only the parts that conditions compare, or that are parsed. */
function mustOf(shape: Shape, depth = 0, made = { values: 0 }): unknown {
  if (depth > 12 || shape.made || ++made.values > mostValues) return undefined
  if (
    shape.parsed
    || (shape.kinds.has('number') && !shape.kinds.has('text') && !shape.isRead)
    || shape.values.length
    || shape.parts.length
    || shape.starts !== null
    || shape.ends !== null
    || shape.above !== null
    || shape.below !== null
    || shape.empty
  )
    return sampleOf(shape, depth, made)
  if (shape.element) {
    const element = mustOf(shape.element, depth + 1, made)
    return element === undefined ? undefined : [element]
  }
  const fields = [...shape.fields].flatMap(([name, field]) => {
    const value = name === 'length' ? undefined : mustOf(field, depth + 1, made)
    return value === undefined ? [] : [[name, value] as const]
  })
  return fields.length ? Object.fromEntries(fields) : undefined
}

/** An answer, with what the workflow reads and the answer does not have. */
export const fitted = (answer: unknown, { sample, must }: AnswerFit): unknown =>
  laidOver(laidUnder(answer, sample), must)

/**
 * The same of the answer of a service, whose node may hand on the whole, what is within a wrapper, or each element of a
 * list.
 */
export function laid(body: unknown, fit: AnswerFit): unknown {
  if (Array.isArray(fit.sample)) return fitted(body, fit)
  if (Array.isArray(body)) return body.map((one) => fitted(one, fit))
  if (typeof body !== 'object' || body === null) return fitted(body, fit)
  const inner = Object.entries(body).flatMap(([name, value]) =>
    isList(value)
      ? [[name, value.map((one) => fitted(one, fit))] as const]
      : wrappers.has(name) && isObject(value)
        ? [[name, fitted(value, fit)] as const]
        : [],
  )
  return { ...(fitted(body, fit) as object), ...Object.fromEntries(inner) }
}

const wrappers = new Set([
  'data',
  'result',
  'results',
  'response',
  'record',
  'item',
  'body',
  'message',
  'channel',
  'user',
])
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isList = (value: unknown): value is object[] => Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Given data, with a sample in the place of each empty text that the workflow reads. */
export function withBlanks(given: unknown, sample: unknown): unknown {
  if (given === '' && typeof sample === 'string') return sample
  if (Array.isArray(given)) return given.map((one) => withBlanks(one, Array.isArray(sample) ? sample[0] : undefined))
  if (!isObject(given) || !isObject(sample)) return given
  const known = sample as Record<string, unknown>
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withBlanks(value, known[name])]))
}

function laidUnder(answer: unknown, sample: unknown): unknown {
  if (answer === undefined || answer === null) return sample
  if (sample === undefined || sample === null) return answer
  if (Array.isArray(answer)) {
    if (!Array.isArray(sample)) return answer
    return answer.length ? answer.map((one) => laidUnder(one, sample[0])) : sample
  }
  if (Array.isArray(sample)) return typeof answer === 'object' ? answer : sample
  if (typeof sample !== 'object') return answer
  if (typeof answer !== 'object') return sample
  const both = answer as Record<string, unknown>
  return {
    ...both,
    ...Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, laidUnder(both[name], value)])),
  }
}

function laidOver(answer: unknown, must: unknown): unknown {
  if (must === undefined || must === null) return answer
  if (Array.isArray(must)) return Array.isArray(answer) ? answer.map((one) => laidOver(one, must[0])) : must
  if (typeof must !== 'object' || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return must
  const both = answer as Record<string, unknown>
  return {
    ...both,
    ...Object.fromEntries(Object.entries(must).map(([name, value]) => [name, laidOver(both[name], value)])),
  }
}
