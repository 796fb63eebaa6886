import type { Keys, Layer } from './layer.ts'
import type { Values } from '../../model/experiment.ts'

/** One value by its path, as `helm --set` takes it: `main.extraEnv[0].name`; a backslash keeps a dot in a name. */
export function parameter(path: string, text: unknown, place: Layer['place'], isText = false): Layer {
  const keys = keysOf(path)
  const value = typeof text === 'string' && !isText ? typed(text) : text
  return {
    values: keys.reduceRight<unknown>((inner, key) => around(key, inner), value) as Values,
    place: () => place([]),
  }
}

function keysOf(path: string): Keys {
  const parts = path.match(/(?:\\.|[^.[\\])+|\[\d+\]/g) ?? []
  return parts.map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part.replace(/\\(.)/g, '$1')))
}

function around(key: string | number, inner: unknown): unknown {
  if (typeof key === 'string') return { [key]: inner }
  return [...Array<null>(key).fill(null), inner]
}

function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : text
}
