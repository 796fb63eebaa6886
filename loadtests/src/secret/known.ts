import { looksRandom, redacted, withoutForms } from './forms.ts'
import { printable } from '../lib/printable.ts'
import { secretsIn } from './chart-values.ts'
import type { Secrecy } from './secrecy.ts'
import type { Values } from '../model/experiment.ts'

/**
 * The secrets that this run was given. What others write (logs of n8n, errors of Helm, answers of services) may repeat
 * them under any name, so their texts are looked for.
 */

interface Known {
  text: string
  /** Also within a longer word. */
  anywhere: boolean
}

/** By their first letters, so that a text is read once, however many secrets there are. */
const known = new Map<string, Known[]>()
const first = 4
/** A shorter secret, or one of letters alone, is only replaced as a whole word: it may be part of others. */
const long = 10
/** Passwords that are also words of the lab's own reports. */
const ordinary = new Set([
  'n8n-tuned',
  'postgres',
  'postgresql',
  'redis',
  'main',
  'worker',
  'webhook',
  'secret',
  redacted,
])

export function remember(text: string, secrecy: Exclude<Secrecy, 'harmless'> = 'secret'): void {
  const lines = text.split(/\r?\n/)
  for (const line of lines.length > 1 ? [text, ...lines.map((one) => one.trim())] : [text])
    if (secrecy === 'secret' || looksRandom(line)) rememberOne(line)
}

export function rememberValues(values: Values): void {
  for (const { text, secrecy } of secretsIn(values)) if (secrecy !== 'harmless') remember(text, secrecy)
}

function rememberOne(text: string): void {
  if (text.length < first || ordinary.has(text.toLowerCase())) return
  for (const form of new Set([text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), base64(text)])) {
    const alike = known.get(form.slice(0, first)) ?? []
    if (alike.some((one) => one.text === form)) continue
    alike.push({ text: form, anywhere: form.length >= long && !/^[a-z]+$/i.test(form) })
    // The longest first: one secret may begin with another.
    known.set(
      form.slice(0, first),
      alike.sort((a, b) => b.text.length - a.text.length),
    )
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The text without secrets: those that are known, and those that show by their form. */
export function shown(text: string): string {
  return withoutForms(withoutKnown(text))
}

function withoutKnown(text: string): string {
  if (known.size === 0) return text
  let kept = ''
  let from = 0
  for (let at = 0; at + first <= text.length; at++) {
    const found = known.get(text.slice(at, at + first))?.find((one) => isAt(text, at, one))
    if (!found) continue
    kept += text.slice(from, at) + redacted
    from = at + found.text.length
    at = from - 1
  }
  return kept + text.slice(from)
}

function isAt(text: string, at: number, { text: secret, anywhere }: Known): boolean {
  if (!text.startsWith(secret, at)) return false
  return anywhere || !(isLetter(text[at - 1]) || isLetter(text[at + secret.length]))
}

const isLetter = (letter: string | undefined) => letter !== undefined && /[A-Za-z0-9]/.test(letter)

/** The same of every text in a record. */
export function shownIn<Given>(given: Given): Given {
  if (typeof given === 'string') return shown(given) as Given
  if (Array.isArray(given)) return given.map(shownIn) as Given
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, key === 'distribution' ? value : shownIn(value)]),
  ) as Given
}

/** What the lab itself tells a terminal: colours, and to write a line anew. */
const ownCommands = /(\r\x1b\[K|\x1b\[\d{1,2}m)/

/**
 * Whatever the command prints goes through here, whoever prints it: without secrets, and without what a terminal would
 * take for commands of others.
 */
export function guard(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
  const clean = (text: string) =>
    stream.isTTY
      ? text
          .split(ownCommands)
          .map((part, index) => (index % 2 ? part : printable(part)))
          .join('')
      : printable(text)
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? clean(shown(chunk)) : chunk, ...rest)) as typeof stream.write
}
