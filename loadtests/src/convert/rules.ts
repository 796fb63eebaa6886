import type { Values } from '../profile/experiment.ts'
import { at, isEmpty, isMap, type Draft } from './draft.ts'
import { takeVariable, type Role } from './variables.ts'

/** Handles one of their values: writes into the draft. */
export type Rule = (value: unknown, draft: Draft, all: Values, path: string) => void

/** Rules by the path of their value. The rule of a map applies to its keys without a rule. */
export type Rules = Record<string, Rule>

export type Asked = (all: Values) => boolean

/** The same value under another name. */
export const to =
  (path: string): Rule =>
  (value, draft) => {
    if (!isEmpty(value)) draft.set(path, value)
  }

/** Values that the chart handles itself, or that have no effect here. */
export const nothing: Rule = () => {}

/** Values that we have no equivalent for. */
export const byHand =
  (text: string): Rule =>
  (value, draft, _all, path) => {
    if (!isEmpty(value) && value !== false) draft.note('left', path, text)
  }

/** One of their values for one of n8n's variables. */
export const variable =
  (name: string, role: Role = 'role'): Rule =>
  (value, draft, _all, path) => {
    takeVariable({ name, value, role, path }, draft)
  }

/** One of their lists, for a variable that takes names with commas. */
export const joined =
  (name: string): Rule =>
  (value, draft, all, path) => {
    if (Array.isArray(value)) variable(name)(value.join(','), draft, all, path)
  }

/** Variables as Kubernetes lists them, or as a map by their names, which some charts write in capitals. */
export const variables =
  (role: Role, spelled = (name: string) => name): Rule =>
  (value, draft, _all, path) => {
    for (const [name, given] of entries(value)) takeVariable({ name: spelled(name), value: given, role, path }, draft)
  }

function entries(value: unknown): [string, unknown][] {
  const textOf = (entry: unknown) => (isMap(entry) && !('valueFrom' in entry) ? entry.value : pickSource(entry))
  if (Array.isArray(value)) return value.filter(isMap).map((entry) => [String(entry.name), textOf(entry)])
  return Object.entries(isMap(value) ? value : {}).map(([name, entry]) => [name, textOf(entry)])
}

const pickSource = (entry: unknown) => (isMap(entry) ? { valueFrom: entry.valueFrom } : entry)

export const when =
  (asked: Asked, rule: Rule): Rule =>
  (value, draft, all, path) => {
    if (asked(all)) rule(value, draft, all, path)
  }

/** Whether one of their switches is on. */
export const on =
  (path: string): Asked =>
  (all) =>
    at(all, path) === true

export const both =
  (...conditions: Asked[]): Asked =>
  (all) =>
    conditions.every((asked) => asked(all))

/** Values that have the same name here. */
export const same = (...paths: string[]): Rules => Object.fromEntries(paths.map((path) => [path, to(path)]))

export const ignored = (...paths: string[]): Rules => Object.fromEntries(paths.map((path) => [path, nothing]))

/** Rules of one of their maps that apply only under a condition. */
export const under = (prefix: string, rules: Rules, asked: Asked = () => true): Rules =>
  Object.fromEntries(Object.entries(rules).map(([path, rule]) => [`${prefix}.${path}`, when(asked, rule)]))

/** The same for values that become variables of n8n. */
export const variablesUnder = (prefix: string, names: Record<string, string>, asked?: Asked): Rules =>
  under(prefix, Object.fromEntries(Object.entries(names).map(([path, name]) => [path, variable(name)])), asked)
