import { readYaml } from '../../model/yaml-file.ts'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { usage } from '../../lib/errors.ts'
import { nameValue } from '../../lib/name-value.ts'
import { without } from '../account.ts'
import { isSecret } from '../takes.ts'
import { isMap } from '../values.ts'
import { interpolate, withOwnVariables } from './interpolate.ts'
import { mainOf, servicesOf } from './services.ts'
import type { Values } from '../../model/experiment.ts'

const giveVariables = 'Give the file that Docker Compose reads them from with --env.'
const nameImage = 'Name it in image, as n8nio/n8n:2.41.1; docker compose config prints the whole file.'

/** Parts of a service whose text becomes a value of ours. The others may have variables that nobody knows. */
const needed = ['image', 'command', 'entrypoint', 'environment', 'deploy', 'scale', 'cpus', 'mem_limit', 'env_file']

interface Options {
  /** The file of variables, instead of the one beside it. */
  env?: string | undefined
  /** Keys that the user leaves out. */
  drop: string[]
}

/** A Compose file with its variables filled in, and with the variables of its env files in place of their names. */
export async function readCompose(file: string, given: Values, { env, drop }: Options): Promise<Values> {
  const beside = join(dirname(file), '.env')
  const variables = env === undefined && !existsSync(beside) ? {} : await readEnv(env ?? beside)
  const missing: { name: string; service: string }[] = []
  const values = interpolate(given, variables, (name, path, text) => {
    const [top, service, part] = path
    if (top === 'services' && needed.includes(part!) && !ofSecret(path, text)) missing.push({ name, service: service! })
  }) as Values
  const kept = without(values, drop)
  refuseElsewhere(file, kept)
  if (!mainOf(kept)) throw badCompose(file, 'a service with n8n’s image', nameImage)
  const names = servicesOf(kept).flatMap(({ name, kind }) => (kind === 'other' || kind === 'once' ? [] : [name]))
  const unknown = new Set(missing.flatMap(({ name, service }) => (names.includes(service) ? [name] : [])))
  if (unknown.size > 0) throw badCompose(file, `a value for ${[...unknown].join(', ')}`, giveVariables)
  for (const [name, of] of Object.entries(values.services as Record<string, Values>)) {
    if (!names.includes(name) || !of.env_file || drop.includes(`services.${name}.env_file`)) continue
    const paths = envFiles(of.env_file)
    of.env_file = await Promise.all(paths.map((path) => readEnvFile(file, path, env ?? beside, `services.${name}`)))
  }
  return values
}

/** The text of a secret is read from the running n8n, and need not be known. */
function ofSecret(path: string[], text: string): boolean {
  if (path[2] !== 'environment') return false
  return isSecret({ name: path[3] ?? nameValue(text)[0], value: text })
}

/** What other files say is not in this one. */
function refuseElsewhere(file: string, values: Values): void {
  const extended = servicesOf(values).find(({ kind, of }) => kind !== 'other' && of.extends !== undefined)
  const where = values.include !== undefined ? 'include' : extended && `services.${extended.name}.extends`
  if (where)
    throw usage(
      'bad-compose',
      `${file}: ${where}: Expected the whole of it in this file.`,
      'Convert what this prints: docker compose config --no-interpolate.',
    )
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
  const named = resolve(dirname(file), path)
  const found = named === resolve(dirname(file), '.env') ? env : named
  if (existsSync(found)) return readEnv(found)
  if (!required) return {}
  throw usage(
    'bad-compose',
    `${file}: ${service}.env_file: Expected the file ${path} beside it, found none.`,
    `Put it there, or leave it out if n8n needs nothing of it: --drop ${service}.env_file.`,
  )
}

async function readEnv(file: string): Promise<NodeJS.Dict<string>> {
  return withOwnVariables(parseEnv(await readYaml(file)))
}

const badCompose = (file: string, expected: string, hint: string) =>
  usage('bad-compose', `${file}: Expected ${expected}, found none.`, hint)
