/** Variables of Docker Compose: `${NAME}`, `${NAME:-default}`, `${NAME:+other}`, `$NAME`; `$$` is a dollar sign. */
import { isMap } from '../../lib/values.ts'
import { isSecret } from '../takes.ts'

type Given = NodeJS.Dict<string>

const textOf = (name: string, given: Given) => (Object.hasOwn(given, name) ? given[name] : undefined)

/** What a variable without a value does to a conversion: it is collected, if the text matters to n8n. */
export type Missing = (name: string, path: string[], text: string) => void

/** Fills in all variables, and reports those without a value. */
export function interpolate(value: unknown, given: Given, missing: Missing, path: string[] = []): unknown {
  if (typeof value === 'string') return fill(value, given, (name) => missing(name, path, value))
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, given, missing, path))
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const filled = interpolate(inner, given, missing, [...path, key])
      return [key, key === 'environment' ? passed(filled, given) : filled]
    }),
  )
}

const start = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(:?[-+?])?)/

/** Defaults may contain variables themselves: `${A:-${B}}`. */
function fill(text: string, given: Given, missing: (name: string) => void): string {
  const found = start.exec(text)
  if (!found) return text
  const before = text.slice(0, found.index)
  const after = text.slice(found.index + found[0].length)
  const [, dollar, bare, braced, kind] = found
  if (dollar) return `${before}$${fill(after, given, missing)}`
  if (bare !== undefined) return before + valueOf(bare, undefined, '') + fill(after, given, missing)
  const end = endOf(after)
  return before + valueOf(braced!, kind, after.slice(0, end)) + fill(after.slice(end + 1), given, missing)

  function valueOf(name: string, kind: string | undefined, other: string): string {
    const own = textOf(name, given)
    const has = kind?.startsWith(':') ? Boolean(own) : own !== undefined
    if (kind?.endsWith('-')) return has ? own! : fill(other, given, missing)
    if (kind?.endsWith('+')) return has ? fill(other, given, missing) : ''
    if (has) return own!
    missing(name)
    return own ?? `\${${name}}`
  }
}

/** Where the brace ends that is open at the beginning of the text. */
function endOf(text: string): number {
  let depth = 1
  for (let index = 0; index < text.length; index++) {
    if (text.startsWith('${', index)) depth++
    else if (text[index] === '}' && --depth === 0) return index
  }
  return text.length
}

/**
 * `- NAME` alone, or `NAME:`, passes on the variable of that name, which may be one of the shell. A secret of the shell
 * stays a variable: its text is read from the running n8n.
 */
function passed(environment: unknown, given: Given): unknown {
  const valueOf = (name: string) =>
    textOf(name, given) ?? (isSecret({ name, value: `\${${name}}` }) ? `\${${name}}` : '')
  if (Array.isArray(environment))
    return environment.map((entry) => (String(entry).includes('=') ? entry : `${entry}=${valueOf(String(entry))}`))
  const entries = Object.entries(isMap(environment) ? environment : {})
  return Object.fromEntries(entries.map(([name, text]) => [name, text ?? valueOf(name)]))
}

/** The variables of an env file, which may use those above them. */
export function withOwnVariables(variables: Given): Given {
  const known: Given = {}
  for (const [name, text] of Object.entries(variables))
    known[name] = (text ?? '').replace(/\$\{(\w+)\}/g, (all, other: string) => textOf(other, known) ?? all)
  return known
}
