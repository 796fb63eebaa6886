import { Option, type Command } from 'commander'
import { z } from 'zod'
import { manifests } from '../chart/render.ts'
import { Outcome } from '../convert/account.ts'
import { Note, Whereabouts } from '../convert/draft.ts'
import { convertFiles } from '../convert/files.ts'
import { sources, type SourceName } from '../convert/sources.ts'
import { copyOf } from '../convert/words.ts'
import { asValuesFile } from '../lib/values.ts'
import { Values } from '../model/experiment.ts'
import { refusedAt } from '../run/cells.ts'
import { jsonOption, printJson } from './json.ts'

interface ConvertOptions {
  from: SourceName
  file: string[]
  release?: string
  tag?: string
  env?: string
  profile: string[]
  drop: string[]
  json?: true
}

export const ConvertAnswer = z
  .strictObject({
    from: z.string().describe('What they are values of.'),
    values: Values.describe('Values of this chart.'),
    keys: z
      .array(
        z.strictObject({
          path: z.string(),
          file: z.string(),
          line: z.number().nullable(),
          keys: z.number().describe('So many keys are at that path.'),
          outcome: Outcome,
        }),
      )
      .describe('What became of each key of theirs.'),
    changes: z.array(Note).describe('What works differently from now on.'),
    todos: z.array(Note).describe('What is left to the user, beside the keys that were refused.'),
    secrets: z
      .array(z.strictObject({ name: z.string(), where: Whereabouts }))
      .describe('What goes into the moved Secret, and where the running n8n has it.'),
    copy: z.string().nullable().describe('The command that copies them.'),
  })
  .describe('The values of another chart, or a Docker Compose file, as values of this chart.')
type ConvertAnswer = z.infer<typeof ConvertAnswer>

const repeated = (word: string, words: string[]) => [...words, word]

export function addConvert(program: Command): void {
  program
    .command('convert')
    .summary('values of another chart, Compose, docker run, manifests or an env file, as values of this chart')
    .description(
      'Prints values of this chart that run the same n8n on the same data. On standard error it says what became of '
        + 'each key, and what values cannot say. A key that it does not know ends it with exit code 2. No secret is '
        + 'printed: it says which to copy, and how. docs/move.md has the whole move.',
    )
    .argument(
      '[files...]',
      'their values, as `helm get values <release>` prints them; an object of Argo CD, Flux, Helmfile or kustomize '
        + 'with them; Compose files, commands docker run, manifests or env files; - for standard input. A later file '
        + 'goes before an earlier one',
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
    .option(
      '--env <file>',
      'variables of a Compose file (default: .env beside it), of docker run, or those that Flux fills in',
    )
    .option('--profile <name>', 'a profile of Compose that is active; repeatable', repeated, [])
    .option('--drop <key>', 'leave this key of theirs out; repeatable', repeated, [])
    .option(...jsonOption)
    .addHelpText('after', '\nExample:\n  ./n8n-tuned convert --from official values.yaml >n8n-tuned.yaml')
    .action((files: string[], options: ConvertOptions) => printConverted([...options.file, ...files], options))
}

async function printConverted(files: string[], options: ConvertOptions): Promise<void> {
  const { called, converted, placeOf, notes } = await convertFiles(files, { ...options, profiles: options.profile })
  const { values, secrets, changes, todos, account } = converted
  if (options.json)
    printJson({
      from: called,
      values,
      keys: account.rows().map(({ path, leaves, outcome }) => {
        const { file = files[0]!, line = null } = placeOf(leaves[0]!.keys) ?? {}
        return { path, file, line, keys: leaves.length, outcome }
      }),
      changes,
      todos,
      secrets: [...secrets].map(([name, where]) => ({ name, where })),
      copy: copyOf(converted),
    } satisfies ConvertAnswer)
  else {
    process.stdout.write(`# From ${called}, by n8n-tuned convert.\n${asValuesFile(values)}`)
    process.stderr.write(notes)
  }
  await manifests(values).catch(refusedAt('What was printed'))
}
