import type { OutsideRule } from '../../model/outside.ts'

/** A call that n8n makes. */
export interface CallAsked {
  method: string
  /** With its port, unless it is the usual one. */
  host: string
  /** Without its query. */
  path: string
}

/** Finds the first rule that matches the call. */
export function ruleBook(rules: OutsideRule[]): (asked: CallAsked) => OutsideRule | undefined {
  const known = rules.map((rule) => ({ rule, host: globbed(rule.host.toLowerCase()), path: globbed(rule.path) }))
  return ({ method, host, path }) =>
    known.find(
      (one) =>
        (one.rule.method === undefined || one.rule.method === method) && one.host(host.toLowerCase()) && one.path(path),
    )?.rule
}

/** `*` stands for any text. Each part is looked for once: a pattern of a thousand stars takes no longer. */
export function globbed(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern
  const [first, ...rest] = pattern.split('*') as [string, ...string[]]
  const last = rest.pop()!
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let from = first.length
    for (const part of rest) {
      const at = text.indexOf(part, from)
      if (at === -1) return false
      from = at + part.length
    }
    return from <= text.length - last.length
  }
}
