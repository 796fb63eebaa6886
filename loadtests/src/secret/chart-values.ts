import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSecretForm, looksRandom, mayBeKey, redacted, withoutForms } from './forms.ts'
import { paths } from '../lib/paths.ts'
import { isReference, isTelling, secrecyOfField, secrecyOfVariable, type Scalar, type Secrecy } from './secrecy.ts'
import type { Experiment, Values } from '../model/experiment.ts'

/**
 * Secrets in Helm values. The chart's schema marks its own with `writeOnly`. What else it describes is none. What it
 * leaves to the user, such as variables, annotations and whole containers, is a secret unless its name is known.
 */

interface Schema {
  $ref?: string
  writeOnly?: boolean
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, Schema | true>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  items?: Schema
  allOf?: Schema[]
}

/** Gives the text that takes the place of a secret. */
type Replace = (secret: string, secrecy: Secrecy) => string

export const withoutSecrets = <Given>(given: Given): Given => eachOf(given as Values, () => redacted) as Given

/** An experiment as it is written down, and compared with a written one. */
export function withoutSecretsOf<Given extends Partial<Experiment>>(experiment: Given): Given {
  const { base, variants, matrix } = experiment
  return {
    ...experiment,
    ...(base && { base: withoutSecrets(base) }),
    ...(variants && { variants: variants.map((variant) => ({ ...variant, values: withoutSecrets(variant.values) })) }),
    ...(matrix && { matrix: withoutSecrets(matrix) }),
  }
}

export interface Secret {
  text: string
  secrecy: Secrecy
}

/** What `withoutSecrets` replaces. */
export function secretsIn(given: Values): Secret[] {
  const found: Secret[] = []
  eachOf(given, (text, secrecy) => {
    found.push({ text, secrecy })
    return redacted
  })
  return found
}

/** The variables of all roles whose texts must not be written down. */
export function secretVariablesIn(values: Values): Set<string> {
  const roles = ['role', 'main', 'worker', 'webhook'].map((role) => values[role])
  const all = roles.flatMap((role) => (isMap(role) && isMap(role.extraEnv) ? Object.entries(role.extraEnv) : []))
  return new Set(
    all.flatMap(([name, value]) =>
      isScalar(value) && (secrecyOfVariable(name, value) !== 'harmless' || hasSecretForm(String(value))) ? [name] : [],
    ),
  )
}

let read: (Schema & { definitions: Record<string, Schema> }) | undefined
const schema = () =>
  (read ??= JSON.parse(readFileSync(join(paths.chart, 'values.schema.json'), 'utf8')) as NonNullable<typeof read>)

/** Keys may be whole paths, as in a matrix: `database.password.value`. */
function eachOf(values: Values, replace: Replace): Values {
  return Object.fromEntries(
    Object.entries(values).map(([path, value]) => {
      const keys = path.split('.')
      const place = keys.reduce<Schema | undefined>((above, key) => above && below(above, key), schema())
      return [path, described(value, place, keys.at(-1)!, replace)]
    }),
  )
}

/** What the schema says of a key; undefined where it says nothing. */
function below(given: Schema, key: string): Schema | undefined {
  const above = resolved(given)
  if (isVariables(above)) return above
  const own = above.properties?.[key]
  if (typeof own === 'object' && saysMore(own)) return own
  for (const one of above.allOf ?? []) {
    const found = below(one, key)
    if (found) return found
  }
  return undefined
}

/** A description alone leaves what a value is to the definition of it. */
const saysMore = (own: Schema) => Object.keys(own).some((key) => key !== 'description')

const resolved = (given: Schema): Schema => (given.$ref ? schema().definitions[given.$ref.split('/').at(-1)!]! : given)

/** A map whose keys are names of variables. */
const isVariables = ({ propertyNames }: Schema) => propertyNames !== undefined

/** An object whose keys the schema leaves to the user. */
const isOpen = ({ type, properties, allOf }: Schema) => [type].flat().includes('object') && !properties && !allOf

function described(value: unknown, place: Schema | undefined, name: string, replace: Replace): unknown {
  const known = place && resolved(place)
  if (known && isVariables(known)) return variables(value, name, replace)
  if (!known || isOpen(known)) return undescribed(value, name, replace)
  // A matrix has a list of values where the schema has one value.
  if (Array.isArray(value)) return value.map((item) => described(item, known.items ?? known, name, replace))
  if (isMap(value)) return mapped(value, (inner, key) => described(inner, below(known, key), key, replace))
  if (!isScalar(value)) return value
  if (known.writeOnly) return decided(name, value, 'secret', replace)
  // A text where the schema has a map: nothing is known of it.
  return decided(name, value, known.properties || known.allOf ? 'unknown' : 'harmless', replace)
}

function variables(value: unknown, name: string, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((item) => variables(item, name, replace))
  if (isMap(value))
    return mapped(value, (inner, key) =>
      key === 'valueFrom' ? undescribed(inner, key, replace) : variables(inner, key, replace),
    )
  return isScalar(value) ? decided(name, value, secrecyOfVariable(name, value), replace) : value
}

function undescribed(value: unknown, name: string, replace: Replace, within?: Secrecy): unknown {
  if (Array.isArray(value)) return value.map((item) => undescribed(item, name, replace, within))
  if (isMap(value)) {
    const { name: variable } = value
    return mapped(value, (inner, key) => {
      // Of a pair, the name decides; of `password: { value }`, the key above it.
      if (key === 'value' && typeof variable === 'string') return variables(inner, variable, replace)
      return undescribed(inner, key === 'value' ? name : key, replace, within ?? contentsOf(key))
    })
  }
  return isScalar(value) ? decided(name, value, within ?? secrecyOfField(name, value), replace) : value
}

/** The secrecy of everything below a key such as `stringData`, whatever its own key. */
function contentsOf(key: string): Secrecy | undefined {
  if (['stringData', 'data', 'binaryData'].includes(key)) return 'unknown'
  return isTelling(key) && !isReference(key) ? 'secret' : undefined
}

function decided(name: string, value: Scalar, secrecy: Secrecy, replace: Replace): Scalar {
  if (value === '' || typeof value === 'boolean') return value
  if (secrecy !== 'harmless') return replace(String(value), secrecy)
  if (typeof value !== 'string') return value
  const kept = withoutForms(value, (secret) => void replace(secret, 'secret'))
  return withoutKeysInPaths(kept, /hook/i.test(name), replace)
}

/** Who knows the path of a hook may call it. In other URLs, a part of the path may be a key by its form. */
const withoutKeysInPaths = (text: string, ofHook: boolean, replace: Replace): string =>
  text.replace(/(?<=\w:\/\/[^\s/?#"']+\/)[^\s?#"'<>]+/g, (path) =>
    path
      .split('/')
      .map((part) => (part && part !== redacted && (ofHook || isKey(part)) ? replace(part, 'unknown') : part))
      .join('/'),
  )

const isKey = (part: string) => looksRandom(part) || mayBeKey(part)

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value)
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
const mapped = (map: Values, change: (value: unknown, key: string) => unknown): Values =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]))
