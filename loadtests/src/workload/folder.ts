import { readdir } from 'node:fs/promises'
import { extname, join, relative, resolve } from 'node:path'
import { LabError, problemOf, usage } from '../lib/errors.ts'
import { triggersOf } from '../n8n/address.ts'
import type { Exported } from '../n8n/exported.ts'
import { readWorkflows } from '../n8n/read-workflows.ts'
import { startsByItself } from './copy-with-webhook.ts'
import { isCostly, readApart } from './apart.ts'
import { withoutFields } from './inferred/sample.ts'
import { linkedIn } from './links.ts'
import type { Workflow } from './open.ts'
import { isKnownHost } from './outside/answers/directory.ts'
import { guess } from './outside/answers/guess.ts'

/** A folder of exported workflows, as a profile has them. */
export interface Folder {
  found: FolderWorkflow[]
  /** Why the others are left out, a sentence each. */
  refused: string[]
  /** Guessed answers, one for each address that a workflow names and no file of services knows. */
  rules: GuessedRule[]
}

export interface FolderWorkflow {
  /** As a profile names it. */
  name: string
  workflow: Workflow
}

interface GuessedRule {
  host: string
  path: string
  method: string
  body: unknown
  guessed: true
}

/** Reads all that a load can call. That n8n is asked for once the folder has been read. */
export async function openFolder(folder: string, installed: () => Promise<string | undefined>): Promise<Folder> {
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
  const linked = linkedIn(all.map(({ workflow }) => workflow))
  const callable = all.filter(({ workflow }) => !linked.has(workflow.id) && canStart(workflow))
  const n8n = await installed()
  const found: FolderWorkflow[] = []
  let costly = 0
  for (const { file, workflow } of callable) {
    if (costly === mostCostly) {
      refused.push(`The workflows after it are not read, since ${mostCostly} took too long.`)
      break
    }
    const place = relative('.', resolve(folder)) || '.'
    // A folder with a file that cannot be read is read file by file, and without the sub-workflows in other files.
    const name =
      refused.length === 0
        ? `${place}/#${workflow.id}`
        : join(place, file) + (all.filter((one) => one.file === file).length > 1 ? `#${workflow.id}` : '')
    try {
      const [one] = await readApart(name, { file: name, line: null }, { n8n }, 3)
      found.push({ name, workflow: one! })
    } catch (error) {
      if (isCostly(error)) costly++
      refused.push(wordsOf(error))
    }
  }
  return { found, refused, rules: guessedRules(found) }
}

/** Somebody waits for the folder. */
const mostCostly = 2

/** Manual workflows too: a person starts them, and the lab in that place. */
const canStart = (workflow: Exported) =>
  triggersOf(workflow).length > 0
  || startsByItself(workflow)
  || workflow.nodes.some(({ type, disabled }) => !disabled && /manual(Chat)?Trigger$/.test(type))

const wordsOf = (error: unknown) => {
  if (!(error instanceof LabError)) throw error
  return error.message
}

function guessedRules(found: FolderWorkflow[]): GuessedRule[] {
  const rules = found.flatMap(({ workflow }) =>
    (workflow.made?.hints ?? []).flatMap((hint): GuessedRule[] => {
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
