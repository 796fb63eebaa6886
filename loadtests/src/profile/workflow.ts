import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { errors, type Place } from '../errors.ts'
import { paths } from '../paths.ts'

/** A workflow that can be put under load. */
export interface Workflow {
  name: string
  id: string
  file: string
  webhook: { method: string; path: string }
  /** It uses the nodes of this project, which n8n has to be given. */
  needsNodes: boolean
}

interface Exported {
  id?: string
  nodes?: { type: string; disabled?: boolean; parameters?: { path?: string; httpMethod?: string } }[]
}

/** A bundled workflow's name, or the path of a file of the user's own. */
export async function findWorkflow(name: string, place: Place): Promise<Workflow> {
  const bundled = await bundledWorkflows()
  const file = bundled.get(name) ?? (name.endsWith('.json') ? resolve(name) : undefined)
  if (file === undefined) throw errors.unknownWorkflow(place, name, await loadableWorkflows())
  return readWorkflow(file)
}

/** Name → file. */
export async function bundledWorkflows(): Promise<Map<string, string>> {
  const files = (await readdir(paths.workflows, { recursive: true })).filter((file) => extname(file) === '.json')
  return new Map(files.sort().map((file) => [basename(file, '.json'), join(paths.workflows, file)]))
}

/** Names of those that load can reach: the others are for the editor, or start by themselves. */
export async function loadableWorkflows(): Promise<string[]> {
  const bundled = [...(await bundledWorkflows())]
  const loadable = await Promise.all(bundled.map(([, file]) => readWorkflow(file).then(() => true, () => false)))
  return bundled.filter((_, index) => loadable[index]).map(([name]) => name)
}

export async function readWorkflow(file: string): Promise<Workflow> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw errors.badWorkflow(relative('.', file), 'a readable file', error.code ?? error.message)
  })
  const exported = parse(text, file)
  const trigger = exported.nodes?.find(({ type, disabled }) => type === 'n8n-nodes-base.webhook' && !disabled)
  if (!exported.id) throw errors.badWorkflow(relative('.', file), 'a workflow with an id', 'none')
  if (!trigger?.parameters?.path) throw errors.badWorkflow(relative('.', file), 'a Webhook trigger with a path, which is how load reaches it', 'none')
  return {
    name: basename(file, '.json'),
    id: exported.id,
    file,
    webhook: { method: trigger.parameters.httpMethod ?? 'GET', path: `/webhook/${trigger.parameters.path}` },
    needsNodes: exported.nodes!.some(({ type }) => type.startsWith('n8n-nodes-tuned.')),
  }
}

function parse(text: string, file: string): Exported {
  const refuse = (got: string) => errors.badWorkflow(relative('.', file), 'a workflow as JSON', got)
  let exported: unknown
  try {
    exported = JSON.parse(text)
  } catch (error) {
    throw refuse((error as Error).message)
  }
  // n8n's own export:workflow writes a list unless told otherwise.
  if (Array.isArray(exported)) throw refuse('a list')
  if (typeof exported !== 'object' || exported === null) throw refuse(String(exported))
  return exported as Exported
}
