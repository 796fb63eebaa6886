import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { usage } from '../../errors.ts'
import { profileErrors } from '../../profile/errors.ts'
import type { Values } from '../../profile/experiment.ts'
import { convertErrors } from '../errors.ts'
import { isMap } from '../values.ts'
import { interpolate, withOwnVariables } from './interpolate.ts'
import { mainOf, servicesOf } from './services.ts'

const giveVariables = 'Give the file that Docker Compose reads them from with --env.'
const nameImage = 'Name it in image, as n8nio/n8n:2.41.1; docker compose config prints the whole file.'

/** Parts of a service whose text becomes a value of ours. The others may have variables that nobody knows. */
const needed = ['image', 'command', 'entrypoint', 'environment', 'deploy', 'scale', 'cpus', 'mem_limit', 'env_file']

/** A Compose file with its variables filled in, and with the variables of its env files in place of their names. */
export async function readCompose(file: string, given: Values, env: string | undefined): Promise<Values> {
  const beside = join(dirname(file), '.env')
  const variables = env === undefined && !existsSync(beside) ? {} : await readEnv(env ?? beside)
  const missing: { name: string; service: string }[] = []
  const values = interpolate(given, variables, (name, [top, service, part]) => {
    if (top === 'services' && needed.includes(String(part))) missing.push({ name, service: String(service) })
  }) as Values
  refuseElsewhere(file, values)
  if (!mainOf(values)) throw convertErrors.badCompose(file, 'a service with n8n’s image', nameImage)
  const ofN8n = servicesOf(values).filter(({ kind }) => kind !== 'other' && kind !== 'once')
  const names = new Set(missing.filter(({ service }) => ofN8n.some(({ name }) => name === service)).map((m) => m.name))
  if (names.size > 0) throw convertErrors.badCompose(file, `a value for ${[...names].join(', ')}`, giveVariables)
  for (const { of } of ofN8n)
    if (of.env_file) of.env_file = await Promise.all(envFiles(of.env_file).map((path) => readEnvFile(file, path)))
  return values
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

async function readEnvFile(file: string, { path, required }: EnvFile): Promise<NodeJS.Dict<string>> {
  const found = resolve(dirname(file), path)
  return !required && !existsSync(found) ? {} : readEnv(found)
}

async function readEnv(file: string): Promise<NodeJS.Dict<string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw profileErrors.unreadableFile(file, error.code ?? error.message)
  })
  return withOwnVariables(parseEnv(text))
}
