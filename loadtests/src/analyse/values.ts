import type { Values } from '../profile/experiment.ts'

/** Helm's own way of layering values: objects merge, everything else (lists too) is replaced. */
export function mergeValues(...layers: Values[]): Values {
  return layers.reduce((under, over) => {
    const merged: Values = { ...under }
    for (const [key, value] of Object.entries(over)) {
      const below = merged[key]
      merged[key] = isObject(below) && isObject(value) ? mergeValues(below, value) : value
    }
    return merged
  }, {})
}

/** `{ 'main.replicas': 2 }` → `{ main: { replicas: 2 } }` */
export function expandDotted(dotted: Values): Values {
  const single = ([path, value]: [string, unknown]): Values =>
    path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values
  return mergeValues(...Object.entries(dotted).map(single))
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
