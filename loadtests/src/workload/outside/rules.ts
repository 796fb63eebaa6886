import type { OutsideRule } from '../../model/outside.ts'

/** A call that n8n makes. */
export interface Asked {
  method: string
  /** With its port, unless it is the usual one. */
  host: string
  /** Without its query. */
  path: string
}

/** Finds the first rule that matches the call. */
export function ruleBook(rules: OutsideRule[]): (asked: Asked) => OutsideRule | undefined {
  const known = rules.map((rule) => ({ rule, host: globbed(rule.host.toLowerCase()), path: globbed(rule.path) }))
  return ({ method, host, path }) =>
    known.find(
      (one) =>
        (one.rule.method === undefined || one.rule.method === method) && one.host(host.toLowerCase()) && one.path(path),
    )?.rule
}

export function globbed(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern
  const whole = new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`, 's')
  return (text) => whole.test(text)
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
