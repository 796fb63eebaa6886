import { Option, type Command } from 'commander'
import { manifests, ValuesRefused } from '../chart/render.ts'
import { convertFiles } from '../convert/files.ts'
import { sources, type SourceName } from '../convert/sources.ts'
import { asValuesFile } from '../lib/values.ts'
import { valuesRefused } from '../run/cells.ts'

interface ConvertOptions {
  from: SourceName
  file: string[]
  release?: string
  tag?: string
  env?: string
  profile: string[]
  drop: string[]
}

const repeated = (word: string, words: string[]) => [...words, word]

export function addConvert(program: Command): void {
  program
    .command('convert')
    .summary('the values of another chart, or a Docker Compose file, as values of this chart')
    .description(
      'Prints values of this chart that run the same n8n on the same data. On standard error it says what became of '
        + 'each key, and what values cannot say. A key that it does not know ends it with exit code 2. No secret is '
        + 'printed: it says which to copy, and how. docs/move.md has the whole move.',
    )
    .argument(
      '[files...]',
      'their values, as `helm get values <release>` prints them; an object of Argo CD, Flux, Helmfile or kustomize '
        + 'with them; or Compose files. A later file goes before an earlier one',
    )
    .addOption(
      new Option('--from <source>', 'what they are values of').choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .option('-f, --file <file>', 'one of the files, as docker compose and helm take it; repeatable', repeated, [])
    .option(
      '--release <name>',
      'the release of theirs, which names Secrets and claims (default: as the file says, or n8n)',
    )
    .option('--tag <version>', 'the n8n that runs there, where their values do not say it exactly')
    .option('--env <file>', 'variables of a Compose file (default: .env beside it), or those that Flux fills in')
    .option('--profile <name>', 'a profile of Compose that is active; repeatable', repeated, [])
    .option('--drop <key>', 'leave this key of theirs out; repeatable', repeated, [])
    .addHelpText('after', '\nExample:\n  ./n8n-tuned convert --from official values.yaml >n8n-tuned.yaml')
    .action((files: string[], options: ConvertOptions) => printConverted([...options.file, ...files], options))
}

async function printConverted(files: string[], options: ConvertOptions): Promise<void> {
  const { called, values, notes } = await convertFiles(files, { ...options, profiles: options.profile })
  process.stdout.write(`# From ${called}, by n8n-tuned convert.\n${asValuesFile(values)}`)
  process.stderr.write(notes)
  await manifests(values).catch((error) => {
    throw error instanceof ValuesRefused
      ? valuesRefused({ file: 'What was printed', line: null }, error.message)
      : error
  })
}
