import { isMap } from './draft.ts'

/** Variables of Docker Compose: `${NAME}`, `${NAME:-default}`, `$NAME`; `$$` is a dollar sign. */
const pattern = /\$(?:(\$)|\{([A-Za-z_]\w*)(?::?([-?])([^}]*))?\}|([A-Za-z_]\w*))/g

type Given = NodeJS.Dict<string>

/** Fills in all variables, and collects those without a value. */
export function interpolate(value: unknown, given: Given, missing: Set<string>): unknown {
  if (typeof value === 'string') return fill(value, given, missing)
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, given, missing))
  if (!isMap(value)) return value
  const filled = Object.entries(value).map(([key, inner]) => [key, interpolate(inner, given, missing)] as const)
  return Object.fromEntries(filled.map(([key, inner]) => [key, key === 'environment' ? passed(inner, given) : inner]))
}

function fill(text: string, given: Given, missing: Set<string>): string {
  return text.replace(pattern, (_all, dollar, braced, kind, other, bare) => {
    if (dollar) return '$'
    const name = (braced ?? bare) as string
    if (kind === '-') return given[name] || (other as string)
    if (given[name] === undefined) missing.add(name)
    return given[name] ?? ''
  })
}

/** `- NAME` alone, or `NAME:`, passes on the variable of that name. */
function passed(environment: unknown, given: Given): unknown {
  if (Array.isArray(environment)) {
    return environment.map((entry) => (String(entry).includes('=') ? entry : `${entry}=${given[String(entry)] ?? ''}`))
  }
  const entries = Object.entries(isMap(environment) ? environment : {})
  return Object.fromEntries(entries.map(([name, text]) => [name, text ?? given[name] ?? '']))
}
