import type { SetAside } from '../../model/environment.ts'
import type { Values } from '../../model/experiment.ts'
import { isMap, valueAt } from '../../lib/values.ts'

/** Values on the way to isolated ones. */
export interface IsolatedDraft {
  /** A copy, which the rules change. */
  values: Values
  /** Notes down what a rule changed. */
  aside(what: string | string[], instead: string, effect: string): void
}

/** Rows with the same reason are one. */
export function joinReasons(rows: SetAside[]): SetAside[] {
  const byReason = new Map<string, SetAside>()
  for (const { what, instead, effect } of rows) {
    const key = `${instead}\n${effect}`
    const before = byReason.get(key)?.what ?? []
    byReason.set(key, { what: [...new Set([...before, ...what])], instead, effect })
  }
  return [...byReason.values()]
}

export const leftOut = 'left out'
export const nothing = 'nothing'

export function draftOf(values: Values): IsolatedDraft & { setAside(): SetAside[] } {
  const rows: SetAside[] = []
  return {
    values: structuredClone(values),
    aside: (what, instead, effect) => void rows.push({ what: [what].flat(), instead, effect }),
    setAside: () => joinReasons(rows),
  }
}

/** Whether a value says anything: an empty one or `false` does not. */
export function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isMap(value)) return Object.values(value).some(isGiven)
  return value !== undefined && value !== null && value !== '' && value !== false
}

export const textAt = (values: Values, path: string): string => {
  const found = valueAt(values, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

export function listAt(values: Values, path: string): Values[] {
  const found = valueAt(values, path)
  return Array.isArray(found) ? found.filter(isMap) : []
}

export function put(values: Values, path: string, value: unknown): void {
  const keys = path.split('.')
  const last = keys.pop()!
  let inner = values
  for (const key of keys) {
    if (!isMap(inner[key])) inner[key] = {}
    inner = inner[key] as Values
  }
  inner[last] = value
}

/** Removes the value; returns whether it said anything. */
export function dropValue(values: Values, path: string): boolean {
  const [, parent = '', key = path] = /^(?:(.*)\.)?([^.]+)$/.exec(path) ?? []
  const map = parent === '' ? values : valueAt(values, parent)
  if (!isMap(map) || !(key in map)) return false
  const given = isGiven(map[key])
  delete map[key]
  return given
}

/** Removes those of the values that say something; returns their paths. */
export const dropGiven = (values: Values, paths: string[]): string[] =>
  paths.filter((path) => isGiven(valueAt(values, path)) && dropValue(values, path))

/** The values that hold settings of pods. */
export const roles = ['role', 'main', 'worker', 'webhook', 'runner']

/** Those of n8n's own pods. */
export const rolesOfN8n = roles.filter((role) => role !== 'runner')
