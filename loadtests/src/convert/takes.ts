import { hasSecretForm } from '../secret/forms.ts'
import { secrecyOfVariable } from '../secret/secrecy.ts'
import { isMap, type Draft } from './draft.ts'

export type Role = 'role' | 'main' | 'worker' | 'webhook' | 'runner'

/** A variable of n8n's environment, with its path in their values. */
export interface Variable {
  name: string
  /** Its text, or `{ valueFrom }`. */
  value: unknown
  role: Role
  path: string
}

export type Take = (variable: Variable, draft: Draft) => void

/** Also a variable that is harmless by its name, if its URL contains a password. */
export function isSecret({ name, value }: Variable): boolean {
  return isText(value) && (secrecyOfVariable(name, value) === 'secret' || hasSecretForm(String(value)))
}

export function intoSecret({ name, role }: Variable, draft: Draft): void {
  draft.setSecret(`${role}.extraEnv.${name}.valueFrom.secretKeyRef`, name)
}

export function asItIs({ name, value, role }: Variable, draft: Draft): void {
  draft.set(`${role}.extraEnv.${name}`, value)
}

export function value(path: string, read: (text: string) => unknown = String): Take {
  return ({ name, value, path: from }, draft) => {
    if (isText(value)) draft.set(path, read(String(value)))
    else draft.note('left', `${from} (${name})`, `${path} takes text: write there what is in that Secret or ConfigMap.`)
  }
}

export function secret(path: string): Take {
  return ({ name, value }, draft) => {
    const reference = isMap(value) && isMap(value.valueFrom) ? value.valueFrom.secretKeyRef : undefined
    if (isMap(reference)) draft.set(path, { name: reference.name, key: reference.key })
    else draft.setSecret(path, name)
  }
}

export function ours(...names: string[]): Record<string, Take> {
  return Object.fromEntries(names.map((name) => [name, () => {}]))
}

export function byHand(text: string): Take {
  return ({ name, path }, draft) => void draft.note('left', `${path} (${name})`, text)
}

export function database({ value, path }: Variable, draft: Draft): void {
  if (value === 'postgresdb') draft.set('database.type', 'external')
  else if (value !== 'sqlite')
    draft.note(
      'left',
      `${path} (DB_TYPE)`,
      `Only SQLite and PostgreSQL have a value, not ${String(value)}: move to PostgreSQL first.`,
    )
}

export function redis(variable: Variable, draft: Draft): void {
  draft.set('redis.type', 'external')
  if (variable.name === 'QUEUE_BULL_REDIS_HOST') value('redis.host')(variable, draft)
  else value('redis.clusterNodes', (text) => text.split(',').map((node) => node.trim()))(variable, draft)
}

/** The chart has one for all roles. */
export function logLevel(variable: Variable, draft: Draft): void {
  const { value, path, role } = variable
  if (role !== 'role') asItIs(variable, draft)
  else if (['error', 'warn', 'info', 'debug'].includes(String(value))) draft.set('logLevel', value)
  else draft.note('left', `${path} (N8N_LOG_LEVEL)`, `logLevel is error, warn, info or debug, not ${String(value)}.`)
}

/** Only where it is longer than ours, which are 30 s, and 120 s for workers. */
export function shutdown({ value }: Variable, draft: Draft): void {
  const seconds = Number(value)
  const grace = { gracefulSeconds: seconds, gracePeriodSeconds: seconds + 30 }
  if (seconds > 30) draft.set('role.shutdown', grace)
  if (seconds > 120) draft.set('worker.shutdown', grace)
}

/** The chart derives the heap from the memory limit. */
export function nodeOptions(variable: Variable, draft: Draft): void {
  const flags = String(variable.value).split(/\s+/).filter(Boolean)
  const own = flags.filter((flag) => !/^--max[-_](old|semi)[-_]space[-_]size/.test(flag))
  if (own.length < flags.length)
    draft.note(
      'changed',
      `${variable.path} (NODE_OPTIONS)`,
      'The heap follows from the memory limit; heap.megabytes of a role sets it.',
    )
  if (own.length > 0) asItIs({ ...variable, value: own.join(' ') }, draft)
}

function isText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

export function isTrue(text: string): boolean {
  return text.toLowerCase() === 'true'
}
