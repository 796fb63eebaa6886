import { stringify } from 'yaml'

type Values = Record<string, unknown>

/** Deep merge, as in Helm: maps merge, everything else is replaced, null removes. Any key is one, `__proto__` too. */
export function mergeValues(...layers: Values[]): Values {
  const merged = new Map<string, unknown>()
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const before = merged.get(key)
    merged.set(key, isMap(value) ? mergeValues(isMap(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

/** `main.replicas` and 2 → `{ main: { replicas: 2 } }` */
export function atPath(dotted: string, value: unknown): Values {
  return dotted.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values
}

/** The value at `database.host`, or nothing. */
export function valueAt(values: unknown, path: string): unknown {
  const inside = (of: unknown, key: string) => (isMap(of) && Object.hasOwn(of, key) ? of[key] : undefined)
  return path.split('.').reduce<unknown>(inside, values)
}

/** A values file. Helm reads YAML 1.1, where `off` without quotes is not a string. */
export function asValuesFile(values: Values): string {
  return stringify(values, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
}

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
