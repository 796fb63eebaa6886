import { basename, dirname, extname, join, relative } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { makeFolder } from '../lib/make-folder.ts'
import { exitCodes, unreadable, usage, type ExitCode, problemOf } from '../lib/errors.ts'
import { typed } from '../lib/paths.ts'
import { readText } from '../lib/read.ts'
import { shellWord } from '../lib/shell.ts'
import { openPublicApi, readHistory, listWorkflows } from '../n8n/learn/api.ts'
import { filesOf, isUnsure, profileOf, toFillIn, type Learned } from '../n8n/learn/learned.ts'
import { within } from '../lib/own-tree.ts'
import { writeWhole } from '../report/write.ts'
import { shown } from '../secret/known.ts'
import { jsonOption, printJson } from './json.ts'
import { agree, readFrom } from './reach.ts'
import { parseUrl, positiveInteger, positiveNumber } from './options.ts'
import { openTerminal } from './terminal.ts'

interface LearnOptions {
  from: URL
  keyFile?: string
  days: number
  most: number
  out: string
  yes?: true
  json?: true
}

export const LearnAnswer = z
  .strictObject({
    files: z.array(z.string()).describe('What was written, the profile first.'),
    toFillIn: z.array(z.string()).describe('What n8n does not tell.'),
    unsure: z.boolean().describe('What was read is too little to be sure of the busiest minute.'),
    failure: z.string().nullable().describe('What ended the reading before its time.'),
    next: z.string().describe('The command that measures it.'),
  })
  .describe('A profile of what an n8n that runs already is asked.')
type LearnAnswer = z.infer<typeof LearnAnswer>

export function addLearn(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('learn')
    .summary('a profile of what an n8n that runs already is asked')
    .description(
      'Reads through n8n’s public API which workflows ran by webhook: how often, in which minute most, how '
        + 'long, and how often they failed. Writes a profile of that, and the workflows beside it. It writes '
        + 'nothing to n8n and copies no data of executions. N8N_API_KEY holds the key.',
    )
    .requiredOption('--from <url>', 'of n8n’s editor', parseUrl)
    .option('--key-file <file>', 'a file with the key of n8n’s public API, in place of N8N_API_KEY')
    .option('--days <number>', 'how far to look back', positiveNumber, 30)
    .option('--most <executions>', 'the most to read, newest first', positiveInteger, 100_000)
    .option('--out <file>', 'the profile; its workflows come into a folder of the same name', 'learned.yaml')
    .option('--yes', 'read that n8n without asking')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nExample:\n  N8N_API_KEY=… ./n8n-tuned learn --from https://n8n.example.com --days 7\n  ./n8n-tuned '
        + 'check --profile learned.yaml',
    )
    .action(async ({ from, keyFile, days, most, out, yes, json }: LearnOptions) => {
      const api = openPublicApi(from, await keyOf(keyFile))
      await agree([readFrom(from, days, most)], yes)
      const terminal = openTerminal(process.stderr)
      try {
        terminal.doing('Reading the workflows')
        const workflows = await listWorkflows(api)
        const { history, cut, failure } = await readHistory(api, { days, most, now: Date.now() }, (count) =>
          terminal.doing(`Reading executions: ${(Math.floor(count / 10_000) * 10_000).toLocaleString('en')} and more`),
        )
        const folder = join(dirname(out), basename(out, extname(out)))
        const url = shown(from.href)
        const learned: Learned = { url, days, history, workflows, folder: relative('.', folder) || '.', cut, failure }
        const profile = profileOf(learned)
        if (!profile)
          throw usage(
            'no-history',
            `Expected executions by webhook within ${days} days on ${from.href}, got none.`,
            'Raise --days, or let n8n keep executions for a while: EXECUTIONS_DATA_SAVE_ON_SUCCESS=all and a '
              + 'longer EXECUTIONS_DATA_MAX_AGE.',
          )
        const files = await writeAll(out, folder, profile, filesOf(learned))
        const unsure = isUnsure(learned)
        const next = `${typed.lab} check --profile ${shellWord(relative('.', out))}`
        terminal.say(
          `Wrote ${relative('.', out)}, and ${workflows.length} workflows to ${relative('.', folder)}. Fill `
            + `in what it says n8n does not tell; then: ${next}`,
        )
        if (failure !== null) terminal.say(`Reading ended early: ${failure}`)
        if (unsure)
          terminal.say('That is too little to be sure of the busiest minute: the profile says what it covers.')
        if (json) printJson({ files, toFillIn: toFillIn(learned), unsure, failure, next } satisfies LearnAnswer)
        end(unsure ? exitCodes.invalid : exitCodes.met)
      } finally {
        terminal.close()
      }
    })
}

async function keyOf(file: string | undefined): Promise<string> {
  const text = file === undefined ? process.env.N8N_API_KEY : await readKeyFile(file)
  if (!text?.trim())
    throw usage(
      'no-api-key',
      'Expected a key of n8n’s public API in N8N_API_KEY or in the file of --key-file, got none.',
      'Make one in n8n under Settings, n8n API, with the scopes workflow:list, workflow:read, execution:list '
        + 'and execution:read.',
    )
  return text.trim()
}

const readKeyFile = (file: string) =>
  readText(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, problemOf(error))
  })

/** The files that it wrote, readable only by their owner: nodes of workflows may contain secrets. */
async function writeAll(out: string, folder: string, profile: string, files: Map<string, object>): Promise<string[]> {
  try {
    makeFolder(folder, 0o700)
    const written: string[] = []
    for (const [name, content] of files)
      written.push(await writeWhole(within(folder, name), `${JSON.stringify(content, null, 2)}\n`, 0o600))
    return [await writeWhole(out, profile, 0o600), ...written]
  } catch (error) {
    throw unwritableFile(out, problemOf(error))
  }
}

const unwritableFile = (file: string, reason: string) =>
  usage('unwritable-file', `Expected --out to name a file to write to, got ${file}: ${reason}.`, 'Name another file.')
