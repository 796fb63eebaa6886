import { at, drop, isMap, leftOut, listAt, put, roles, textAt, type Draft } from './draft.ts'
import { fateOf, madeUp } from './reaches.ts'
import { isHere, type Folders, type Where } from './where.ts'

/** Variables that name what is elsewhere, or come from there, are set aside. The others tune n8n, and stay. */
export function ownVariables({ values, aside }: Draft, where: Where, folders: Folders): void {
  for (const role of roles) {
    const path = `${role}.extraEnv`
    const env = at(values, path)
    for (const [name, value] of isMap(env) ? Object.entries(env) : []) {
      const fate =
        name === 'NODE_OPTIONS' ? null : (ofOtherStore(name, value, values) ?? fateOf(name, value, where, folders))
      if (!fate) continue
      if (fate.instead === madeUp) put(values, `${path}.${name}`, madeUp)
      else drop(values, `${path}.${name}`)
      aside(`${path}.${name}`, fate.instead, fate.effect)
    }
    ownFlags({ values, aside }, `${path}.NODE_OPTIONS`, where, folders)
    const sources = listAt(values, `${role}.extraEnvFrom`)
    if (!sources.length) continue
    drop(values, `${role}.extraEnvFrom`)
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
function ofOtherStore(name: string, value: unknown, values: Draft['values']) {
  const said = String(value)
  if (/^N8N_(DEFAULT|AVAILABLE)_BINARY_DATA_MODES?$/.test(name) && /s3|azure/.test(said))
    return { instead: 'n8n’s own choice', effect: 'Workflows with files write elsewhere' }
  if (name === 'N8N_CACHE_BACKEND' && said === 'redis' && at(values, 'executions.mode') !== 'queue')
    return { instead: 'memory', effect: 'The cache costs no round trips' }
  return null
}

/** Modules that Node loads first belong to agents, which report elsewhere. */
const loading = /(?<=^|\s)(?:-r|--require|--import|--loader|--experimental-loader)(?:=|\s+)(?!data:)\S+/g

function ownFlags({ values, aside }: Draft, path: string, where: Where, folders: Folders): void {
  const given = at(values, path)
  if (typeof given !== 'string') return
  const gone = [
    ...(given.match(loading) ?? []),
    ...given
      .replace(loading, '')
      .split(/\s+/)
      .filter((flag) => /=\//.test(flag) && !isHere(flag.slice(flag.indexOf('=') + 1), where, folders)),
  ]
  if (!gone.length) return
  const left = gone
    .reduce((text, flag) => text.replace(flag, ''), given)
    .replace(/\s+/g, ' ')
    .trim()
  if (left) put(values, path, left)
  else drop(values, path)
  aside(
    gone.map((flag) => `${path} ${flag}`),
    leftOut,
    'What they load into n8n costs CPU that is not measured',
  )
}
