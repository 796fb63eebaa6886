import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { tuningsOf } from '../../loadtests/src/chart/tunings.ts'
import type { CommonOptions } from '../../loadtests/src/cli/options.ts'
import { prepare } from '../../loadtests/src/cli/prepare.ts'
import { createProgram } from '../../loadtests/src/program.ts'
import { mergeValues } from '../../loadtests/src/lib/values.ts'
import { root } from '../support/command.ts'
import { temporaryFolder, write } from '../support/temporary.ts'
import type { Values } from '../../loadtests/src/model/experiment.ts'

/** What the pages tell readers to type is understood, up to where load would start. */

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const texts = pages.map((page) => readFileSync(join(root, page), 'utf8').replaceAll(/\\\n */g, ''))
const found = (pattern: RegExp) =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, command]) => command!.trim())))].sort()

const makefile = readFileSync(join(root, 'Makefile'), 'utf8')

const commands = found(/(?:^|`)(?:\.\/)?n8n-tuned ([a-z]+ [^`#\n]*-[^`#\n]*)/gm)
const tasks = found(/(?:^|`)make ([a-z][a-z0-9-]*)/gm)

/** The files that readers bring. */
const folder = temporaryFolder()
const workflow = readFileSync(join(root, 'workflows/ping-webhook.json'), 'utf8')
const learned = `name: learned
question: Does it sustain its busiest minute?
workflows: [ping-webhook]
load: { shape: mixed, rate: 4, duration: 60s }
`

const mix = `name: mix
question: What does the mix of the faults sustain?
base: { executions: { mode: queue }, database: { type: embedded }, redis: { type: embedded } }
workflows: [ping-webhook, wait-5s-webhook]
load: { shape: search, weights: { ping-webhook: 1, wait-5s-webhook: 1 }, step: 20s, precision: 10% }
slo: { p95: 1s, errors: 0.1% }
`

/** What the trigger of that workflow handed on. */
const ran = { data: { main: [[{ json: { body: {} } }]] } }

const brought = new Map(
  await Promise.all(
    [
      ['my-values.yaml', '{}'],
      ['values.yaml', '{}'],
      ['rules.yaml', '{}'],
      ['learned.yaml', learned],
      ['exports-lab/profile.yaml', learned],
      ['recorded.yaml', '{}'],
      ['queue.yaml', '{}'],
      ['before.yaml', '{}'],
      ['after.yaml', '{}'],
      ['mix.yaml', mix],
      ['exported.json', workflow],
      ['nightly.json', readFileSync(join(root, 'workflows/every-minute.json'), 'utf8')],
      ...['nightly', 'orders'].map((name) => [
        `exports/${name}.json`,
        JSON.stringify({ ...JSON.parse(workflow), name, id: name }),
      ]),
      ['execution.json', JSON.stringify({ data: { resultData: { runData: { Webhook: [ran] } } } })],
      ['request.json', '{ "query": { "order": 1 } }'],
      ['credentials.json', '{ "id": "1", "name": "Shop", "type": "httpHeaderAuth", "data": {} }'],
    ].map(async ([name, content]) => [name!, await write(folder, name!, content!)] as const),
  ),
)
brought.set('exports/', join(folder, 'exports'))

/** A verb with the options it was given, as it takes them from the command line. */
async function understood(command: string): Promise<{ verb: string; options: CommonOptions & { setting: string[] } }> {
  const program = await createProgram(() => undefined)
  let taken: Command | undefined
  for (const verb of program.commands) verb.action(() => void (taken = verb))
  const [own] = command.split(' | ')
  const words = own!.replaceAll(/ \d?>\S+/g, '').split(' ')
  await program.parseAsync(
    words.map((word) => brought.get(word) ?? word),
    { from: 'user' },
  )
  return { verb: taken!.name(), options: taken!.opts() }
}

/**
 * The settings that do something with these values: for each of them the chart is rendered, so they are asked for once.
 */
const working = new Map<string, ReturnType<typeof tuningsOf>>()
async function workingWith(values: Values): Promise<string[]> {
  const key = JSON.stringify(values)
  working.set(key, working.get(key) ?? tuningsOf(values))
  return (await working.get(key)!).working.map(({ name }) => name)
}

test('the pages name commands and tasks', () => {
  expect(commands.length).toBeGreaterThan(40)
  expect(tasks.length).toBeGreaterThan(10)
})

test.each(commands)('n8n-tuned %s', async (command) => {
  const { verb, options } = await understood(command)
  if (!('workflow' in options)) return
  const {
    workflows,
    experiment: { base, variants },
  } = await prepare(options)
  expect(workflows).not.toEqual([])
  if (verb === 'tune')
    expect(await workingWith(mergeValues(base, variants[0]!.values))).toEqual(expect.arrayContaining(options.setting))
})

test.each(tasks)('make %s', (task) => {
  expect([...makefile.matchAll(/^([a-z0-9-]+)[a-z0-9 -]*:/gm)].map(([, target]) => target)).toContain(task)
})

/**
 * Nothing of this project is published, so whoever registers one of these names decides what a reader runs. One page
 * says which names are meant.
 */
const ours = 'n8n-(?:nodes-)?tuned'
const fetching = [
  `\\b(?:npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx)\\b[^\\n\`]*\\b${ours}`,
  `\\bnpm (?:i|install|add)\\b[^\\n\`]* ${ours}(?:@|\\s|\`|$)`,
  `oci://\\S*n8n-tuned`,
].map((pattern) => new RegExp(pattern, 'm'))

test.each(pages.filter((page) => page !== 'docs/support.md'))('%s has nothing fetched by a name of ours', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  expect(fetching.map((pattern) => pattern.exec(text)?.[0])).toEqual(fetching.map(() => undefined))
})
