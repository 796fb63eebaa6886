import { isMap, valueAt } from '../lib/values.ts'
import type { Values } from '../model/experiment.ts'

/** Removes what is at `database.host`. */
export function removeAt(values: Values, path: string): void {
  const keys = path.split('.')
  const around = keys.length > 1 ? valueAt(values, keys.slice(0, -1).join('.')) : values
  if (isMap(around)) delete around[keys.at(-1)!]
}

/** An empty value needs no translation. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isMap(value) ? Object.values(value).every(isEmpty) : value === undefined || value === null || value === ''
}

/** Text as YAML may have it. */
export function isText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
