import { isMap, valueAt } from '../../lib/values.ts'
import { dropValue, leftOut, listAt, put, roles, textAt, type IsolatedDraft } from './draft.ts'
import { flagsOf } from './flags.ts'
import { fateOf, madeUp } from './reaches.ts'
import type { Folders, Where } from './where.ts'

/**
 * Variables that name a file, a program or a host stay only where they are known to be harmless. Those that come from
 * elsewhere are set aside. The others tune n8n, and stay.
 */
export function ownVariables({ values, aside }: IsolatedDraft, where: Where, folders: Folders): void {
  for (const role of roles) {
    const path = `${role}.extraEnv`
    const env = valueAt(values, path)
    for (const [name, value] of isMap(env) ? Object.entries(env) : []) {
      const fate =
        name === 'NODE_OPTIONS' ? null : (ofOtherStore(name, value, values) ?? fateOf(name, value, where, folders))
      if (!fate) continue
      if (fate.instead === madeUp) put(values, `${path}.${name}`, madeUp)
      else dropValue(values, `${path}.${name}`)
      aside(`${path}.${name}`, fate.instead, fate.effect)
    }
    ownFlags({ values, aside }, `${path}.NODE_OPTIONS`)
    const sources = listAt(values, `${role}.extraEnvFrom`)
    if (!sources.length) continue
    dropValue(values, `${role}.extraEnvFrom`)
    aside(
      sources.map((source) => `${role}.extraEnvFrom ${nameOf(source)}`),
      leftOut,
      `Settings in them are not measured. n8n has database.type ${textAt(values, 'database.type') || 'sqlite'}`,
    )
  }
}

const nameOf = (source: Record<string, unknown>) =>
  textAt(source, 'secretRef.name') || textAt(source, 'configMapRef.name')

/** Settings that name a store which the run does not have. */
function ofOtherStore(name: string, value: unknown, values: IsolatedDraft['values']) {
  const said = isMap(value) ? '' : String(value)
  if (/^N8N_(DEFAULT|AVAILABLE)_BINARY_DATA_MODES?$/.test(name) && /s3|azure/.test(said))
    return { instead: 'n8n’s own choice', effect: 'Workflows with files write elsewhere' }
  if (name === 'N8N_CACHE_BACKEND' && said === 'redis' && valueAt(values, 'executions.mode') !== 'queue')
    return { instead: 'memory', effect: 'The cache costs no round trips' }
  return null
}

/** The chart's own flags are no values: what stands here is the operator's. */
function ownFlags({ values, aside }: IsolatedDraft, path: string): void {
  const given = valueAt(values, path)
  if (typeof given !== 'string') return
  const { kept, gone } = flagsOf(given)
  if (!gone.length) return
  if (kept.length) put(values, path, kept.join(' '))
  else dropValue(values, path)
  aside(
    // By name: a value may be a whole program.
    gone.map((flag) => `${path} ${flag.split(/[=\s]/)[0]}`),
    leftOut,
    'Only flags that are known to load, open and write nothing are measured',
  )
}
