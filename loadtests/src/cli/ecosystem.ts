import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { makeFolder } from '../lib/make-folder.ts'
import { render } from '../chart/render.ts'
import { commandLine } from '../secret/arguments.ts'
import { paths } from '../lib/paths.ts'
import { appsOf, patchFiles } from '../chart/pm2/apps.ts'
import { ecosystemOf, patchesFolder, secretVariablesOf } from '../chart/pm2/ecosystem.ts'
import { jsonOption, printJson } from './json.ts'
import { collect, positiveInteger, setValue } from './options.ts'
import { givenValues } from './prepare.ts'
import type { Values } from '../model/experiment.ts'
import { usage, problemOf } from '../lib/errors.ts'
import { refusedAt } from '../run/cells.ts'

interface EcosystemOptions {
  values: string[]
  set: Values
  port: number
  out?: string
  json?: true
}

export const EcosystemAnswer = z
  .strictObject({
    text: z.string().describe('The ecosystem file.'),
    files: z.array(z.string()).describe('What was written: that file first, then the patches. Empty without --out.'),
    processes: z.array(z.string()).describe('Their names in PM2.'),
    secrets: z.array(z.string()).describe('Variables that the environment has to have.'),
  })
  .describe('An ecosystem file of PM2.')
type EcosystemAnswer = z.infer<typeof EcosystemAnswer>

export function addEcosystem(program: Command): void {
  program
    .command('ecosystem')
    .summary('an ecosystem file of PM2 from the rendered chart')
    .description(
      'Prints an ecosystem file that runs n8n under PM2 as the chart would in a cluster: heap, tuned '
        + 'settings, roles and their numbers, memory and time to end. No secret is in it: it takes them from the '
        + 'environment.',
    )
    .option('--values <file>', 'Helm values; repeatable', collect, [])
    .option('--set <key=value>', 'one Helm value; repeatable', setValue, {})
    .option('--port <first>', 'the processes listen on ports from this one on', positiveInteger, 5678)
    .option('--out <file>', 'write it there instead of printing it; patches, where values ask for them, beside it')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned ecosystem --values queue.yaml --out ecosystem.config.cjs\n  pm2 start '
        + 'ecosystem.config.cjs',
    )
    .action(async ({ values, set, port, out, json }: EcosystemOptions) => {
      const given = await givenValues({ values, set })
      const plan = await render(given, { secretsElsewhere: true }).catch(refusedAt('--values, --set'))
      const text = ecosystemOf(plan, {
        firstPort: port,
        preload: await readFile(paths.pm2Preload, 'utf8'),
        command: commandLine(process.argv.slice(2)),
      })
      const patches = patchFiles(plan)
      if (out === undefined && Object.keys(patches).length > 0)
        throw usage(
          'patches-need-file',
          `Expected --out to name a file, since patches (${plan.tier!.patches.join(', ')}) are files beside it.`,
          'Give --out ecosystem.config.cjs, or values without patches: --set tuning.tier=lean.',
        )
      const files = out === undefined ? [] : await writeBeside(out, text, patches)
      const apps = appsOf(plan, port)
      if (json)
        printJson({
          text,
          files,
          processes: apps.map(({ name }) => name),
          secrets: secretVariablesOf(apps),
        } satisfies EcosystemAnswer)
      else if (out === undefined) process.stdout.write(text)
    })
}

/** The files that it wrote: PM2's, and beside it the patches of n8n's code that Node loads. */
async function writeBeside(out: string, text: string, patches: Record<string, Buffer>): Promise<string[]> {
  const folder = join(dirname(out), patchesFolder)
  try {
    await writeFile(out, text)
    if (Object.keys(patches).length > 0) makeFolder(folder)
    for (const [name, content] of Object.entries(patches)) await writeFile(join(folder, name), content)
  } catch (error) {
    throw unwritableFile(out, problemOf(error))
  }
  const also = Object.keys(patches).length > 0 ? `, and the patches that it loads to ${relative('.', folder)}` : ''
  process.stderr.write(`Wrote ${relative('.', out)}${also}\n`)
  return [out, ...Object.keys(patches).map((name) => join(folder, name))]
}

const unwritableFile = (file: string, reason: string) =>
  usage('unwritable-file', `Expected --out to name a file to write to, got ${file}: ${reason}.`, 'Name another file.')
