import { isMap } from '../../lib/values.ts'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { usage } from '../../lib/errors.ts'
import { nameValue } from '../../lib/name-value.ts'
import { readYaml } from '../../model/yaml-file.ts'
import { withoutKeys } from '../account.ts'
import { documentsOf, type Keys, type Layer } from '../read/layer.ts'
import type { ReaderOptions, ReadFiles } from '../source.ts'
import { isSecret } from '../takes.ts'
import { interpolate, withOwnVariables } from './interpolate.ts'
import { mergeCompose, tagsIn } from './merge.ts'
import { mainOf, composeServices } from './services.ts'
import type { Values } from '../../model/experiment.ts'

const giveVariables = 'Give the file that Docker Compose reads them from with --env.'
const nameImage = 'Name it in image, as n8nio/n8n:2.41.1; docker compose config prints the whole file.'

/** Parts of a service whose text becomes a value of ours. The others may have variables that nobody knows. */
const needed = ['image', 'command', 'entrypoint', 'environment', 'deploy', 'scale', 'cpus', 'mem_limit', 'env_file']

/** Compose files as Docker Compose merges them, with the variables of env files in place of their names. */
export async function readCompose(files: string[], { env, drop, profiles }: ReaderOptions): Promise<ReadFiles> {
  const beside = env ?? join(dirname(files[0]!), '.env')
  const variables = env === undefined && !existsSync(beside) ? {} : await readEnv(beside)
  const reading: Reading = { variables, beside, missing: new Set(), layers: [], ancestors: [] }
  let values: Values = {}
  for (const file of files) values = await over(values, file, reading)
  const idle = idleServices(values, [...profiles, ...(variables.COMPOSE_PROFILES ?? '').split(',')])
  const kept = withoutKeys(values, [...drop, ...idle.keys()])
  if (!mainOf(kept))
    throw badCompose(files[0]!, 'a service with n8n’s image', idle.size > 0 ? [...idle.values()][0]! : nameImage)
  const ours = composeServices(kept).filter(({ kind }) => kind !== 'other' && kind !== 'once')
  if (Object.keys(variables).length > 0)
    for (const { name } of ours) emptyUnset(servicesIn(values)[name]!, reading.missing)
  const unknown = new Set(ours.flatMap(({ name }) => unknownIn(servicesIn(values)[name]!, reading.missing)))
  if (unknown.size > 0) throw badCompose(files[0]!, `a value for ${[...unknown].join(', ')}`, giveVariables)
  for (const { name } of ours) {
    const of = servicesIn(values)[name]!
    if (!of.env_file || drop.includes(`services.${name}.env_file`)) continue
    const paths = envFiles(of.env_file)
    of.env_file = await Promise.all(paths.map((path) => readEnvFile(files[0]!, path, beside, `services.${name}`)))
  }
  return { values, idle, place: (keys) => placeIn(reading.layers, values, keys) }
}

interface Reading {
  variables: NodeJS.Dict<string>
  /** The file of the variables. */
  beside: string
  /** Variables without a value. */
  missing: Set<string>
  /** Each file that was read, for the places of its keys. */
  layers: Layer[]
  /** The files whose `include` or `extends` led here. */
  ancestors: string[]
}

/** One file over what others say: first what it includes, then the file, with the services that it extends. */
async function over(below: Values, file: string, reading: Reading): Promise<Values> {
  if (reading.ancestors.length > 20)
    throw usage(
      'bad-compose',
      `${file}: Expected files that end, got one that includes itself.`,
      'Correct its include or extends.',
    )
  const [document] = await documentsOf(file)
  if (!document) return below
  const filled = interpolate(document.values, reading.variables, (name) => reading.missing.add(name))
  const values = fromFolder(filled as Values, dirname(file))
  reading.layers.push({ values, place: document.place })
  const inside = { ...reading, ancestors: [...reading.ancestors, file] }
  let merged = below
  for (const entry of [values.include ?? []].flat())
    for (const path of [isMap(entry) ? entry.path : entry].flat())
      merged = await over(merged, resolve(dirname(file), String(path)), inside)
  const services = isMap(values.services) ? values.services : {}
  const whole = await Promise.all(
    Object.keys(services).map(async (name) => [name, await extended(name, services, file, inside)] as const),
  )
  const { include: _, ...rest } = values
  const own = { ...rest, ...(isMap(values.services) ? { services: Object.fromEntries(whole) } : {}) }
  return mergeCompose(merged, own, tagsIn(document.document)) as Values
}

/** A service with what it extends, which may be in another file. */
async function extended(
  name: string,
  services: Values,
  file: string,
  reading: Reading,
  seen: string[] = [],
): Promise<unknown> {
  const own = services[name]
  if (!isMap(own) || own.extends === undefined) return own
  const { service, file: path } = isMap(own.extends) ? own.extends : { service: own.extends, file: undefined }
  const base = String(service)
  const elsewhere = path === undefined ? undefined : await over({}, resolve(dirname(file), String(path)), reading)
  const all = elsewhere ? (elsewhere.services as Values | undefined) : services
  if (!isMap(all?.[base]) || seen.includes(base))
    throw usage(
      'bad-compose',
      `${file}: services.${name}.extends: Expected the service ${base}`
        + `${path === undefined ? '' : ` in ${String(path)}`}, found none.`,
      'Convert what this prints: docker compose config --no-interpolate.',
    )
  const below = elsewhere ? all[base] : await extended(base, services, file, reading, [...seen, name])
  const { extends: _, ...rest } = own
  return mergeCompose(below, rest)
}

/** Paths of env files are those of the file that names them. */
function fromFolder(values: Values, folder: string): Values {
  const services = Object.entries(isMap(values.services) ? values.services : {}).map(([name, of]) => {
    if (!isMap(of) || of.env_file === undefined) return [name, of]
    const paths = [of.env_file]
      .flat()
      .map((entry) =>
        isMap(entry) ? { ...entry, path: resolve(folder, String(entry.path)) } : resolve(folder, String(entry)),
      )
    return [name, { ...of, env_file: paths }]
  })
  return services.length === 0 ? values : { ...values, services: Object.fromEntries(services) as Values }
}

/** Services of profiles that are not active do not run. */
function idleServices(values: Values, active: string[]): Map<string, string> {
  const services = Object.entries(isMap(values.services) ? values.services : {})
  return new Map(
    services.flatMap(([name, of]) => {
      const profiles = isMap(of) && Array.isArray(of.profiles) ? of.profiles.map(String) : []
      if (profiles.length === 0 || profiles.some((profile) => active.includes(profile) || active.includes('*')))
        return []
      return [[`services.${name}`, `It runs only with a profile of its own: --profile ${profiles[0]} converts it too.`]]
    }),
  )
}

const servicesIn = (values: Values) => values.services as Record<string, Values>

/** A variable of n8n that is one without a value is empty, as for Docker Compose; a secret is read elsewhere. */
function emptyUnset(of: Values, missing: Set<string>): void {
  const emptied = (name: string, value: unknown) => {
    const [, unset] = /^\$\{(\w+)\}$/.exec(String(value)) ?? []
    return unset !== undefined && missing.has(unset) && !isSecret({ name, value }) ? '' : value
  }
  if (Array.isArray(of.environment))
    of.environment = of.environment.map((entry) => {
      const [name, value] = nameValue(String(entry))
      return value === undefined ? entry : `${name}=${String(emptied(name, value))}`
    })
  else if (isMap(of.environment))
    of.environment = Object.fromEntries(
      Object.entries(of.environment).map(([name, value]) => [name, emptied(name, value)]),
    )
}

/** Variables without a value in what becomes a value of ours. */
function unknownIn(of: Values, missing: Set<string>): string[] {
  const inText = (value: unknown): string[] =>
    [...JSON.stringify(value ?? '').matchAll(/\$\{(\w+)\}/g)].flatMap(([, name]) => (missing.has(name!) ? [name!] : []))
  return needed.flatMap((part) => {
    if (part !== 'environment') return inText(of[part])
    // The text of a secret is read from the running n8n, and need not be known.
    const entries = Array.isArray(of.environment)
      ? of.environment.map((entry) => nameValue(String(entry)))
      : Object.entries(isMap(of.environment) ? of.environment : {})
    return entries.flatMap(([name, value]) => (isSecret({ name, value }) ? [] : inText(value)))
  })
}

/** The place of a key in the last file that has it; lists of several files are one list. */
function placeIn(layers: Layer[], values: Values, keys: Keys) {
  for (const layer of layers.toReversed()) {
    const found = sameKeys(layer.values, values, keys)
    if (found) return layer.place(found)
  }
  return layers[0]?.place(keys) ?? null
}

function sameKeys(own: unknown, merged: unknown, [key, ...more]: Keys): Keys | undefined {
  if (key === undefined) return []
  const inner = (merged as Values | null | undefined)?.[key]
  const at = Array.isArray(own) ? indexOf(own, key, inner) : isMap(own) && key in own ? key : undefined
  if (at === undefined) return undefined
  const rest = sameKeys((own as Values)[at], inner, more)
  return rest && [at, ...rest]
}

function indexOf(list: unknown[], key: string | number, value: unknown): number | undefined {
  const text = JSON.stringify(value)
  const found = list.findIndex((entry) => JSON.stringify(entry) === text || nameValue(String(entry))[0] === key)
  return found < 0 ? undefined : found
}

interface EnvFile {
  path: string
  required: boolean
}

function envFiles(given: unknown): EnvFile[] {
  return [given].flat().map((entry) => ({
    path: String(isMap(entry) ? entry.path : entry),
    required: !isMap(entry) || entry.required !== false,
  }))
}

async function readEnvFile(
  file: string,
  { path, required }: EnvFile,
  env: string,
  service: string,
): Promise<NodeJS.Dict<string>> {
  const found = path === resolve(dirname(file), '.env') ? env : path
  if (existsSync(found)) return readEnv(found)
  if (!required) return {}
  throw usage(
    'bad-compose',
    `${file}: ${service}.env_file: Expected the file ${path}, found none.`,
    `Put it there, or leave it out if n8n needs nothing of it: --drop ${service}.env_file.`,
  )
}

/** The variables of an env file. */
export async function readEnv(file: string): Promise<NodeJS.Dict<string>> {
  return withOwnVariables(parseEnv(await readYaml(file)))
}

const badCompose = (file: string, expected: string, hint: string) =>
  usage('bad-compose', `${file}: Expected ${expected}, found none.`, hint)
