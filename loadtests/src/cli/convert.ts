import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { Option, type Command } from 'commander'
import { manifests, ValuesRefused } from '../chart/render.ts'
import { runsN8n } from '../convert/compose.ts'
import { convert } from '../convert/convert.ts'
import { convertErrors } from '../convert/errors.ts'
import { interpolate } from '../convert/interpolate.ts'
import { sources, type SourceName } from '../convert/sources.ts'
import { notesOf } from '../convert/words.ts'
import { profileErrors } from '../profile/errors.ts'
import type { Values } from '../profile/experiment.ts'
import { asValuesFile } from '../shared/values.ts'
import { configurationErrors } from './configuration-errors.ts'
import { readValues } from './prepare.ts'

interface ConvertOptions {
  from: SourceName
  release: string
  tag?: string
  env?: string
}

export function addConvert(program: Command): void {
  program
    .command('convert')
    .summary('the values of another chart, or a Docker Compose file, as values of this chart')
    .description(
      'Prints values of this chart that run the same n8n on the same data, and on standard error what values cannot '
        + 'say. No secret is printed: it says which to copy, and how. docs/move.md has the whole move.',
    )
    .argument('<file>', 'their values, as `helm get values <release>` prints them, or the Compose file')
    .addOption(
      new Option('--from <source>', 'what they are values of').choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .option('--release <name>', 'the release of theirs; Secrets and claims are named by it', 'n8n')
    .option('--tag <version>', 'the n8n that runs there, where their values do not say it exactly')
    .option('--env <file>', 'variables of a Compose file (default: .env beside it)')
    .addHelpText('after', '\nExample:\n  n8n-tuned convert --from official values.yaml >n8n-tuned.yaml')
    .action(async (file: string, { from, release, tag, env }: ConvertOptions) => {
      const source = sources[from]
      const theirs = from === 'compose' ? await readCompose(file, env) : await readValues(file)
      const converted = convert(source, theirs, { release, tag })
      process.stdout.write(`# From ${source.called}, by n8n-tuned convert.\n${asValuesFile(converted.values)}`)
      process.stderr.write(notesOf(converted, source.inside(theirs, release)))
      await manifests(converted.values).catch((error) => {
        throw error instanceof ValuesRefused
          ? configurationErrors.valuesRefused({ file: 'What was printed', line: null }, error.message)
          : error
      })
    })
}

const giveVariables = 'Give the file that Docker Compose reads them from with --env.'
const nameImage = 'Name it in image, as n8nio/n8n:2.41.1; docker compose config prints the whole file.'

async function readCompose(file: string, env: string | undefined): Promise<Values> {
  const beside = join(dirname(file), '.env')
  const given = env === undefined && !existsSync(beside) ? {} : parseEnv(await readEnv(env ?? beside))
  const missing = new Set<string>()
  const values = interpolate(await readValues(file), given, missing) as Values
  if (missing.size > 0) throw convertErrors.badCompose(file, `a value for ${[...missing].join(', ')}`, giveVariables)
  if (!runsN8n(values)) throw convertErrors.badCompose(file, 'a service with n8n’s image', nameImage)
  return values
}

function readEnv(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw profileErrors.unreadableFile(file, error.code ?? error.message)
  })
}
