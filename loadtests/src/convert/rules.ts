import { isMap, valueAt } from '../lib/values.ts'
import type { Key } from './key.ts'
import { takeVariable, type Role } from './variables.ts'
import type { Values } from '../model/experiment.ts'

/** Handles one of their keys, and the keys below it. */
export type Rule = (key: Key) => void

/** Rules by the path of their key. The rule of a map applies to its keys without a rule. */
export type Rules = Record<string, Rule>

/** A condition on their values, and how it is said that it does not hold. */
export interface ValuesCondition {
  holds(all: Values): boolean
  unless: string
}

/** The same value under another name. */
export const to =
  (path: string): Rule =>
  (key) => {
    if (!key.isEmpty) key.set(path)
  }

/** Values that have the same name here. */
export const same = (...paths: string[]): Rules => Object.fromEntries(paths.map((path) => [path, to(path)]))

/** Keys that say nothing here, and why. */
export const dropped = (why: string, ...paths: string[]): Rules =>
  Object.fromEntries(paths.map((path) => [path, drop(why)]))

export const drop =
  (why: string): Rule =>
  (key) =>
    key.drop(why)

/** What we have no equivalent for: what to do instead. Switched off, it needs none. */
export const byHand =
  (why: string): Rule =>
  (key) => {
    if (key.isEmpty || key.value === false) key.drop('It is off.')
    else key.refuse(why)
  }

/** A switch that only decides whether the keys beside it have an effect. */
export const isOn: Rule = (key) => key.drop(key.value === true ? 'The keys beside it say it.' : 'It is off.')

/** One of their values for one of n8n's variables. */
export const variable =
  (name: string, role: Role = 'role'): Rule =>
  (key) =>
    takeVariable({ name, value: key.value, role, key }, key.draft)

/** One of their lists, for a variable that takes names with commas. */
export const joined =
  (name: string, role: Role = 'role'): Rule =>
  (key) => {
    if (Array.isArray(key.value)) variable(name, role)(key.as(key.value.join(',')))
  }

/** Variables as Kubernetes lists them, or as a map by their names, which some charts write in capitals. */
export const variables =
  (role: Role, spelled = (name: string) => name): Rule =>
  (key) => {
    for (const entry of key.each()) {
      const name = spelled(Array.isArray(key.value) ? String(entry.at('name').value) : entry.name)
      const value = textOf(entry.value)
      takeVariable({ name, value, role, key: entry.as(value) }, key.draft)
    }
  }

const textOf = (entry: unknown) =>
  isMap(entry) ? ('valueFrom' in entry ? { valueFrom: entry.valueFrom } : entry.value) : entry

export const when =
  (asked: ValuesCondition, rule: Rule): Rule =>
  (key) => {
    if (asked.holds(key.all)) rule(key)
    else key.drop(`Without effect there: ${asked.unless}.`)
  }

/** Whether one of their switches is on. */
export const on = (path: string): ValuesCondition => ({
  holds: (all) => valueAt(all, path) === true,
  unless: `${path} is not true`,
})

export const is = (path: string, value: string): ValuesCondition => ({
  holds: (all) => valueAt(all, path) === value,
  unless: `${path} is not ${value}`,
})

export const not = ({ holds }: ValuesCondition, unless: string): ValuesCondition => ({
  holds: (all) => !holds(all),
  unless,
})

export const both = (...conditions: ValuesCondition[]): ValuesCondition => ({
  holds: (all) => conditions.every(({ holds }) => holds(all)),
  unless: conditions.map(({ unless }) => unless).join(', or '),
})

/** Rules of one of their maps that apply only under a condition. */
export const under = (prefix: string, rules: Rules, asked?: ValuesCondition): Rules =>
  Object.fromEntries(
    Object.entries(rules).map(([path, rule]) => [`${prefix}.${path}`, asked ? when(asked, rule) : rule]),
  )

/** The same for values that become variables of n8n. */
export const variablesUnder = (prefix: string, names: Record<string, string>, asked?: ValuesCondition): Rules =>
  under(prefix, Object.fromEntries(Object.entries(names).map(([path, name]) => [path, variable(name)])), asked)
