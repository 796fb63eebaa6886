import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import { z } from 'zod'
import { LabError, usage, problemOf } from '../lib/errors.ts'
import { list } from '../lib/figures.ts'
import { fileName } from '../lib/names.ts'
import { startsByItself } from '../workload/copy-with-webhook.ts'
import type { Exported } from '../workload/exported.ts'
import { findWorkflows } from '../workload/find.ts'
import { withoutFields } from '../workload/inferred/sample.ts'
import { linksOf } from '../workload/links.ts'
import { guess } from '../workload/outside/answers/guess.ts'
import { isKnownHost } from '../workload/outside/answers/directory.ts'
import { readWorkflows } from '../workload/read-workflows.ts'
import { triggersOf } from '../workload/triggers.ts'
import type { Workflow } from '../workload/workflow.ts'
import { jsonOption, printJson } from './json.ts'
import { catalogOf } from './prepare.ts'

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
    .addHelpText('after', '\nExample:\n  n8n-tuned init exports/\n  n8n-tuned check --profile exports-lab/profile.yaml')
    .action(async (folder: string, { out = `${basename(resolve(folder))}-lab`, json }: InitOptions) => {
      const read = await readAll(folder)
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

interface Found {
  /** As a profile names it. */
  name: string
  workflow: Workflow
}

interface Read {
  found: Found[]
  /** Why the others are left out, a sentence each. */
  refused: string[]
}

async function readAll(folder: string): Promise<Read> {
  const refused: string[] = []
  const files = (
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw usage('unreadable-file', `${folder}: Expected a folder, got ${problemOf(error)}.`, 'Check the path.')
    })
  ).filter((file) => extname(file) === '.json' && !file.endsWith('.manifest.json'))
  const all: { file: string; workflow: Exported }[] = []
  for (const file of files.sort()) {
    try {
      for (const workflow of await readWorkflows(join(folder, file))) all.push({ file, workflow })
    } catch (error) {
      refused.push(wordsOf(error))
    }
  }
  const linked = new Set(
    all.flatMap(({ workflow }) =>
      linksOf(workflow)
        .filter(({ id }) => id !== workflow.id)
        .map(({ id }) => id),
    ),
  )
  const callable = all.filter(({ workflow }) => !linked.has(workflow.id) && canStart(workflow))
  const catalog = await catalogOf({})
  const found: Found[] = []
  for (const { file, workflow } of callable) {
    const place = relative('.', resolve(folder)) || '.'
    // A folder with a file that cannot be read is read file by file, and without the sub-workflows in other files.
    const name =
      refused.length === 0
        ? `${place}/#${workflow.id}`
        : join(place, file) + (all.filter((one) => one.file === file).length > 1 ? `#${workflow.id}` : '')
    try {
      const [one] = await findWorkflows(name, { file: name, line: null }, { catalog })
      found.push({ name, workflow: one! })
    } catch (error) {
      refused.push(wordsOf(error))
    }
  }
  return { found: unique(found), refused }
}

/** Manual workflows too: a person starts them, and the lab in that place. */
const canStart = (workflow: Exported) =>
  triggersOf(workflow).length > 0
  || startsByItself(workflow)
  || workflow.nodes.some(({ type, disabled }) => !disabled && /manual(Chat)?Trigger$/.test(type))

const wordsOf = (error: unknown) => {
  if (!(error instanceof LabError)) throw error
  return error.message
}

/** Names of files: two workflows may have the same name. */
const unique = (found: Found[]): Found[] =>
  found.map((one, index) => {
    const twice = found.some((other, at) => at !== index && other.workflow.name === one.workflow.name)
    return twice
      ? { ...one, workflow: { ...one.workflow, name: `${one.workflow.name}-${one.workflow.id.toLowerCase()}` } }
      : one
  })

async function writeAll(out: string, folder: string, { found, refused }: Read): Promise<InitAnswer> {
  const rules = guessedRules(found)
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
  await mkdir(join(out, 'requests'), { recursive: true })
  for (const [file, text] of files) await writeFile(file, text)
  return {
    files: files.map(([file]) => file),
    workflows: found.map(({ workflow }) => ({
      name: workflow.name,
      request: workflow.made?.requests ? requestFile(out, workflow) : null,
      guessed: guessedOf(workflow),
    })),
    answers: rules.map(({ method, host, path }) => ({ method, host, path })),
    refused,
    next: `n8n-tuned check --profile ${profile}`,
  }
}

const guessedOf = ({ made, warnings }: Workflow): string[] => [
  ...(made?.said ?? []),
  ...warnings.filter((text) => / begins by /.test(text)),
]

const requestFile = (out: string, { name }: Workflow) => join(out, 'requests', `${fileName(name)}.json`)

function profileText(out: string, folder: string, found: Found[]): string {
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

interface Rule {
  host: string
  path: string
  method: string
  body: unknown
  guessed: true
}

/** One for each address that a workflow names and no file of services knows. */
function guessedRules(found: Found[]): Rule[] {
  const rules = found.flatMap(({ workflow }) =>
    (workflow.made?.hints ?? []).flatMap((hint): Rule[] => {
      const { host = '*', path = '*', method = 'GET' } = hint
      if (host.includes('*') || isKnownHost(host)) return []
      const asking = {
        host,
        path,
        method,
        query: new URLSearchParams(),
        headers: {},
        body: {},
        raw: Buffer.alloc(0),
        counter: 1,
      }
      const { body } = guess(asking, hint)
      if (Buffer.isBuffer(body)) return []
      return [{ host, path, method, body: JSON.parse(withoutFields(JSON.stringify(body))) as unknown, guessed: true }]
    }),
  )
  return [...new Map(rules.map((rule) => [`${rule.method} ${rule.host}${rule.path}`, rule])).values()]
}

function pageText(found: Found[], refused: string[], rules: Rule[]): string {
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
