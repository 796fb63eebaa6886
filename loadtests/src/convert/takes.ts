import { isMap } from '../lib/values.ts'
import { usage } from '../lib/errors.ts'
import { isOfN8n } from '../n8n/settings.ts'
import { hasSecretForm, mayBeKey } from '../secret/forms.ts'
import { secrecyOfVariable } from '../secret/secrecy.ts'
import type { Draft } from './draft.ts'
import type { Key } from './key.ts'
import { isText } from './values.ts'

export type Role = 'role' | 'main' | 'worker' | 'webhook' | 'runner'

/** A variable of n8n's environment, with its key in their values. */
export interface Variable {
  name: string
  /** Its text, or `{ valueFrom }`. */
  value: unknown
  role: Role
  key: Key
}

export type Take = (variable: Variable, draft: Draft) => void

/**
 * Also a variable that is harmless by its name, if its URL contains a password; and what a user added that looks like
 * a key.
 */
export function isSecret({ name, value }: Pick<Variable, 'name' | 'value'>): boolean {
  if (!isText(value)) return false
  const secrecy = secrecyOfVariable(name, value)
  return secrecy === 'secret' || hasSecretForm(String(value)) || (secrecy === 'unknown' && isKeyLike(name, value))
}

const isKeyLike = (name: string, value: unknown) => !isOfN8n(name) && mayBeKey(String(value))

export function intoSecret({ name, role, key }: Variable): void {
  key.setSecret(`${role}.extraEnv.${name}.valueFrom.secretKeyRef`, name)
}

export function asItIs({ name, value, role, key }: Variable): void {
  key.set(`${role}.extraEnv.${name}`, value)
}

export function value(path: string, read: (text: string) => unknown = String): Take {
  return ({ value, key }) => {
    if (isText(value)) key.set(path, read(String(value)))
    else key.refuse(`${path} takes text: write there what is in that Secret, ConfigMap or file.`)
  }
}

/** The same, where a reference may stay one: the chart leaves such a variable of extraEnv alone. */
export function valueOrReference(path: string, read?: (text: string) => unknown): Take {
  return (variable, draft) => (isMap(variable.value) ? asItIs(variable) : value(path, read)(variable, draft))
}

export function secret(path: string): Take {
  return (variable) => {
    const { name, value, role, key } = variable
    const from = isMap(value) ? value.valueFrom : undefined
    if (isMap(from) && isMap(from.secretKeyRef))
      key.set(path, { name: from.secretKeyRef.name, key: from.secretKeyRef.key })
    // An authority may be in a ConfigMap, which the chart leaves to its variable.
    else if (isMap(from) && name === 'DB_POSTGRESDB_SSL_CA') asItIs(variable)
    else {
      if (isMap(value) && isText(value.file))
        key.draft.files.push({ variable: name, role, file: String(value.file), path })
      key.setSecret(path, name)
    }
  }
}

export function ours(why: string, ...names: string[]): Record<string, Take> {
  return Object.fromEntries(names.map((name) => [name, ({ key }: Variable) => key.drop(why)]))
}

export function variableByHand(why: string): Take {
  return ({ key }) => key.refuse(why)
}

export function database({ value, key }: Variable): void {
  if (value === 'postgresdb') key.set('database.type', 'external')
  else if (value === 'sqlite') key.set('database.type', 'sqlite')
  else
    throw usage(
      'other-database',
      `${key.path}: Expected the database sqlite or postgresdb, which this chart knows, got `
        + `${isText(value) ? String(value) : 'a reference'}.`,
      'Write which of the two it is, or move n8n to PostgreSQL first.',
    )
}

export function redisVariable(variable: Variable, draft: Draft): void {
  draft.set('redis.type', 'external')
  if (variable.name === 'QUEUE_BULL_REDIS_HOST') value('redis.host')(variable, draft)
  else value('redis.clusterNodes', (text) => text.split(',').map((node) => node.trim()))(variable, draft)
}

/** n8n knew two, and took any other text for its default. */
export function executionsProcess({ value, key }: Variable): void {
  if (value === 'main' || value === 'own') key.set('executions.process', value)
  else key.drop('n8n knows no such process, and took its default.')
}

/** The chart has one for all roles. */
export function logLevel(variable: Variable): void {
  const { value, role, key } = variable
  if (role !== 'role') asItIs(variable)
  else if (['error', 'warn', 'info', 'debug'].includes(String(value))) key.set('logLevel')
  else key.refuse('logLevel is error, warn, info or debug.')
}

/** The first wins: main's, since main is read after the other roles. */
export function address(part: 'host' | 'protocol'): Take {
  return ({ value, role, key }, draft) => {
    if (!isText(value)) key.refuse('Name the URL of n8n in publicUrl: only text can become part of it.')
    else if (role === 'worker' || role === 'webhook') key.drop('Main says the address under which n8n is reached.')
    else draft.address[part] = key.as(value)
  }
}

/** Only where it is longer than ours, which are 30 s, and 120 s for workers. */
export function shutdown({ value, role, key }: Variable): void {
  const seconds = Number(value)
  const grace = { gracefulSeconds: seconds, gracePeriodSeconds: seconds + 30 }
  const roles = role === 'role' ? ['role', 'worker'] : [role]
  const longer = roles.filter((name) => seconds > (name === 'worker' ? 120 : 30))
  for (const name of longer) key.set(`${name}.shutdown`, grace)
  if (longer.length === 0) key.drop('Executions get at least that time here too.')
}

/** The chart derives the heap from the memory limit. */
export function nodeOptions(variable: Variable): void {
  const { value, key } = variable
  if (!isText(value)) return key.refuse('Write the flags themselves: NODE_OPTIONS takes text.')
  const flags = String(value).split(/\s+/).filter(Boolean)
  const own = flags.filter((flag) => !/^--max[-_](old|semi)[-_]space[-_]size/.test(flag))
  if (own.length < flags.length) key.change('The heap follows from the memory limit; heap.megabytes of a role sets it.')
  if (own.length > 0) asItIs({ ...variable, value: own.join(' ') })
  else key.drop('The heap follows from the memory limit.')
}

export function isTrue(text: string): boolean {
  return text.toLowerCase() === 'true'
}
