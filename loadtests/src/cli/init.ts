import { basename, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import { z } from 'zod'
import { makeFolder } from '../lib/make-folder.ts'
import { LabError, problemOf, usage } from '../lib/errors.ts'
import { list } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import { fileName } from '../lib/names.ts'
import { writeWhole } from '../report/write.ts'
import { openFolder, type Folder, type FolderWorkflow } from '../workload/folder.ts'
import type { Workflow } from '../workload/open.ts'
import { jsonOption, printJson } from './json.ts'
import { n8nFor } from './prepare.ts'

interface InitOptions {
  out?: string
  json?: true
}

export const InitAnswer = z
  .strictObject({
    files: z.array(z.string()).describe('What was written, the profile first.'),
    workflows: z.array(
      z.strictObject({
        name: z.string(),
        request: z.string().nullable().describe('The file of what is sent; null of the data pinned on its trigger.'),
        guessed: z.array(z.string()).describe('What to look at, and to correct.'),
      }),
    ),
    answers: z
      .array(z.strictObject({ method: z.string(), host: z.string(), path: z.string() }))
      .describe('Calls to services whose answers are guessed.'),
    refused: z.array(z.string()).describe('Why workflows were left out.'),
    next: z.string().describe('The command that measures them.'),
  })
  .describe('A profile of a folder of exported workflows.')
type InitAnswer = z.infer<typeof InitAnswer>

export function addInit(program: Command): void {
  program
    .command('init')
    .summary('a profile of a folder of exported workflows')
    .description(
      'Reads the workflows of a folder, and writes a profile, the requests and answers that it inferred, and a page '
        + 'of what was guessed. It starts nothing.',
    )
    .argument('<folder>', 'exported workflows, one or several a file')
    .option('--out <dir>', 'where the profile goes (default: the folder’s name with -lab)')
    .option(...jsonOption)
    .addHelpText(
      'after',
      `\nExample:\n  ${typed.lab} init exports/\n  ${typed.lab} check --profile exports-lab/profile.yaml`,
    )
    .action(async (folder: string, { out = `${basename(resolve(folder))}-lab`, json }: InitOptions) => {
      const read = await openFolder(folder, () => n8nFor({}))
      if (read.found.length === 0)
        throw usage(
          'nothing-to-load',
          `${folder}: Expected workflows that a load can call, got none. ${read.refused.join(' ')}`.trim(),
          'Export them: n8n export:workflow --all --separate --output=folder/.',
        )
      const begun = await writeAll(out, folder, read)
      if (json) return printJson(begun)
      for (const text of read.refused) process.stderr.write(`! Left out: ${text}\n`)
      process.stdout.write(
        `${join(out, 'profile.yaml')} has ${read.found.length} workflows; GUESSED.md beside it says what was guessed.\n`
          + `Next: ${begun.next}\n`,
      )
    })
}

/** Names of files: two workflows may have the same name. */
const unique = (found: FolderWorkflow[]): FolderWorkflow[] =>
  found.map((one, index) => {
    const twice = found.some((other, at) => at !== index && other.workflow.name === one.workflow.name)
    return twice
      ? { ...one, workflow: { ...one.workflow, name: `${one.workflow.name}-${one.workflow.id.toLowerCase()}` } }
      : one
  })

async function writeAll(out: string, folder: string, { found: all, refused, rules }: Folder): Promise<InitAnswer> {
  const found = unique(all)
  const profile = join(out, 'profile.yaml')
  const files: [string, string][] = [
    [profile, profileText(out, folder, found)],
    [
      join(out, 'outside.yaml'),
      '# Guessed answers, of hosts that no file of loadtests/services knows. Correct them, and delete `guessed`.\n'
        + stringify({ rules }),
    ],
    [join(out, 'GUESSED.md'), pageText(found, refused, rules)],
    ...found.flatMap(({ workflow }): [string, string][] => {
      const requests = workflow.made?.requests
      if (!requests) return []
      const text = JSON.stringify(requests.length === 1 ? requests[0] : requests, null, 2)
      return [[requestFile(out, workflow), `${text}\n`]]
    }),
  ]
  try {
    makeFolder(join(out, 'requests'))
    for (const [file, text] of files) await writeWhole(file, text)
  } catch (error) {
    if (error instanceof LabError) throw error
    throw usage(
      'unwritable-folder',
      `Expected --out to name a folder to write to, got ${out}: ${problemOf(error)}.`,
      'Name another.',
    )
  }
  return {
    files: files.map(([file]) => file),
    workflows: found.map(({ workflow }) => ({
      name: workflow.name,
      request: workflow.made?.requests ? requestFile(out, workflow) : null,
      guessed: guessedOf(workflow),
    })),
    answers: rules.map(({ method, host, path }) => ({ method, host, path })),
    refused,
    next: `${typed.lab} check --profile ${shellWord(profile)}`,
  }
}

const guessedOf = ({ made, warnings }: Workflow): string[] => [
  ...(made?.said ?? []),
  ...warnings.filter((text) => / begins by /.test(text)),
]

const requestFile = (out: string, { name }: Workflow) => join(out, 'requests', `${fileName(name)}.json`)

function profileText(out: string, folder: string, found: FolderWorkflow[]): string {
  const workflows = found.map(({ name, workflow }) =>
    workflow.made?.requests ? { workflow: name, request: requestFile(out, workflow) } : name,
  )
  return (
    `# Written by n8n-tuned init from ${folder}; see GUESSED.md. Paths begin where the command runs.\n`
    + stringify({
      name: 'exports',
      question: 'Does n8n sustain a steady load of these workflows?',
      workflows,
      load: { shape: 'constant', rate: 2, duration: '20s', timeout: '60s' },
      slo: { p95: '30s', errors: '1%', backlog: '50%' },
      repeat: 1,
      outside: { recorded: join(out, 'outside.yaml') },
    })
  )
}

function pageText(found: FolderWorkflow[], refused: string[], rules: Folder['rules']): string {
  const ofHosts = [...new Set(rules.map(({ host }) => host))]
  return [
    '# What was guessed',
    '',
    'Correct the files beside this page: `requests/` has what is sent, `outside.yaml` what services answer.',
    '`n8n-tuned check --dry-run --profile profile.yaml` executes each workflow once and shows what its nodes did.',
    '',
    ...(ofHosts.length
      ? [`Answers of ${list(ofHosts)} are guessed by the method and what the workflows read.`, '']
      : []),
    ...found.flatMap(({ workflow }) => [
      `## ${workflow.name}`,
      '',
      workflow.made?.requests
        ? `- Sent: \`requests/${fileName(workflow.name)}.json\`, from what the workflow reads.`
        : '- Sent: the data pinned on its trigger.',
      ...guessedOf(workflow).map((text) => `- ${text}`),
      '',
    ]),
    ...(refused.length ? ['## Left out', '', ...refused.map((text) => `- ${text}`), ''] : []),
  ].join('\n')
}
