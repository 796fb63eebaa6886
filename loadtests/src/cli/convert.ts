import { Option, type Command } from 'commander'
import { usage } from '../lib/errors.ts'
import { manifests, ValuesRefused } from '../chart/render.ts'
import { readCompose } from '../convert/compose/read.ts'
import { convert } from '../convert/convert.ts'
import { lineIn, notesOf, type LineOf } from '../convert/words.ts'
import { sources, valuesWithin, type SourceName } from '../convert/sources.ts'
import { asValuesFile } from '../lib/values.ts'
import { readValuesFile } from './prepare.ts'
import { valuesRefused } from '../run/cells.ts'

interface ConvertOptions {
  from: SourceName
  release: string
  tag?: string
  env?: string
  drop: string[]
}

export function addConvert(program: Command): void {
  program
    .command('convert')
    .summary('the values of another chart, or a Docker Compose file, as values of this chart')
    .description(
      'Prints values of this chart that run the same n8n on the same data. On standard error it says what became of '
        + 'each key, and what values cannot say. A key that it does not know ends it with exit code 2. No secret is '
        + 'printed: it says which to copy, and how. docs/move.md has the whole move.',
    )
    .argument('<file>', 'their values, as `helm get values <release>` prints them, or the Compose file')
    .addOption(
      new Option('--from <source>', 'what they are values of').choices(Object.keys(sources)).makeOptionMandatory(),
    )
    .option('--release <name>', 'the release of theirs; Secrets and claims are named by it', 'n8n')
    .option('--tag <version>', 'the n8n that runs there, where their values do not say it exactly')
    .option('--env <file>', 'variables of a Compose file (default: .env beside it)')
    .option('--drop <key>', 'leave this key of theirs out; repeatable', (key, keys: string[]) => [...keys, key], [])
    .addHelpText('after', '\nExample:\n  ./n8n-tuned convert --from official values.yaml >n8n-tuned.yaml')
    .action(convertFile)
}

async function convertFile(file: string, { from, release, tag, env, drop }: ConvertOptions): Promise<void> {
  const { values, document, text } = await readValuesFile(file)
  const within = from === 'compose' ? { values, keys: [] } : valuesWithin(values)
  const theirs = from === 'compose' ? await readCompose(file, values, { env, drop }) : within.values
  const lineOf: LineOf = (keys) => lineIn(document, text, [...within.keys, ...keys])
  const source = sources[from](theirs)
  const converted = convert(source, theirs, { release, tag, drop })
  if (converted.open.length > 0) {
    const places = converted.open.map(({ path, keys }) => `${file}:${lineOf(keys) ?? 1}: ${path}`)
    throw usage(
      'unknown-keys',
      `Expected only keys that ${source.called} reads, got ${places.length} other${places.length > 1 ? 's' : ''}:\n`
        + places.map((place) => `  ${place}`).join('\n'),
      `Correct each, or leave it out: --drop ${converted.open[0]!.path} (once for each key or map).`,
    )
  }
  process.stdout.write(`# From ${source.called}, by n8n-tuned convert.\n${asValuesFile(converted.values)}`)
  process.stderr.write(notesOf(converted, lineOf))
  await manifests(converted.values).catch((error) => {
    throw error instanceof ValuesRefused
      ? valuesRefused({ file: 'What was printed', line: null }, error.message)
      : error
  })
}
