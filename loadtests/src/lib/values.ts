import { stringify } from 'yaml'

type Values = Record<string, unknown>

/** Deep merge, as in Helm: maps merge, everything else is replaced, null removes. */
export function mergeValues(...layers: Values[]): Values {
  const merged: Values = {}
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (isMap(value)) merged[key] = mergeValues(isMap(merged[key]) ? merged[key] : {}, value)
      else merged[key] = value
    }
  }
  return merged
}

/** `main.replicas` and 2 → `{ main: { replicas: 2 } }` */
export function atPath(dotted: string, value: unknown): Values {
  return dotted.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values
}

/** The value at `database.host`, or nothing. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), values)
}

/** A values file. Helm reads YAML 1.1, where `off` without quotes is not a string. */
export function asValuesFile(values: Values): string {
  return stringify(values, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
}

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
