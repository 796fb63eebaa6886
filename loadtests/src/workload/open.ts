import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { badWorkflow, type Exported, type PinnedItem } from '../n8n/exported.ts'
import { badRequest, parseRequests, type RequestSpec } from './requests/schema.ts'
import { locationText, usage, type Location } from '../lib/errors.ts'
import type { DataTable } from '../n8n/data-tables.ts'
import { slug } from '../lib/names.ts'
import { didYouMean } from '../lib/nearest.ts'
import { paths } from '../lib/paths.ts'
import type { Catalog } from '../n8n/catalog.ts'
import type { Credential } from '../n8n/credentials.ts'
import type { AllHandedOn } from '../n8n/execution-data.ts'
import { readExecution, withSent } from './executed.ts'
import { startsByItself } from './copy-with-webhook.ts'
import { linkedIn, withLinked } from './links.ts'
import { completeExport } from './made/complete.ts'
import { withoutActingNodes } from './made/nodes.ts'
import { readWorkflows } from '../n8n/read-workflows.ts'
import { readRequests } from './requests/read.ts'
import { triggersOf } from '../n8n/address.ts'
import { servicesCalled } from './services.ts'
import { givenBy, isMade, toBridge, withBridges } from './bridge.ts'
import { byClock, withScheduled } from './scheduled.ts'
import { loaded, type Workflow } from './workflow.ts'

export { byClock, withScheduled }
export { givenBy, isMade, readExecution, servicesCalled, toBridge, withBridges, type Workflow }

export interface GivenBeside {
  /** A file of requests, a request, or a list of kinds of them; undefined means the data pinned on the trigger. */
  request?: unknown
  credentials?: Credential[]
  dataTables?: DataTable[]
  /** An execution of the workflow, and the file that it is from: it goes before what would be inferred. */
  execution?: { executed: AllHandedOn; file: string }
  /** n8n gets the workflow from the lab. */
  imported?: boolean
  /** Its nodes that run programs or write files are left out, although it may call real services. */
  spared?: boolean
  /** Of the run: they decide what its n8n allows, and which community nodes it has. */
  values?: unknown
  /** A node that n8n would not run is refused, and nothing stands in for it. */
  strict?: boolean
  /** What n8n says of its own types, where the mock answers for all that a workflow lacks. */
  catalog?: Catalog
}

/**
 * Finds a bundled workflow by its name, or the workflows of a file or folder that a load can call. The text after a #
 * selects one, by its name or its id.
 */
export async function findWorkflows(
  name: string,
  location: Location,
  {
    request,
    credentials = [],
    dataTables = [],
    imported = true,
    spared = false,
    values,
    catalog,
    execution,
    strict,
  }: GivenBeside = {},
): Promise<Workflow[]> {
  const where = locationText(location)
  const requests = await requestsOf(request, where)
  const bundled = (await bundledWorkflows()).get(name)
  const [path = '', wanted] = bundled ? [bundled] : [name.replace(/#[^#]*$/, ''), /#([^#]*)$/.exec(name)?.[1]]
  if (!bundled && !path.endsWith('.json') && !existsSync(path)) {
    const loadable = await loadableWorkflows()
    throw usage(
      'unknown-workflow',
      `${where}: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got "${name}".`,
      didYouMean(name, loadable, `Bundled: ${loadable.join(', ')}.`),
    )
  }
  const all = await readWorkflows(resolve(path))
  const chosen = pick(all, wanted, relative('.', resolve(path)), imported)
  const picked = execution ? chosen.map((one) => withSent(one, execution.executed, execution.file)) : chosen
  if (picked.length > 1 && requests)
    throw badRequest(
      where,
      `Expected requests for one workflow, got ${picked.length} workflows in ${path}.`,
      `Name one: ${path}#${picked[0]!.name}.`,
    )
  const names =
    picked.length > 1 || wanted !== undefined
      ? uniqueNames(picked)
      : [basename(path, extname(path)).replace(/\.manifest$/, '')]
  const sending = {
    requests,
    credentials,
    dataTables,
    imported,
    where: requests ? where : relative('.', resolve(path)),
  }
  return Promise.all(
    picked.map(async (one, index) => {
      const file = relative('.', resolve(path))
      if (!imported) return loaded(names[index]!, [one], { ...sending, isThere: !bundled })
      if (!catalog || bundled) {
        const linked = withLinked(one, all, file)
        if (!spared || bundled) return loaded(names[index]!, linked, sending)
        const left = linked.map(withoutActingNodes)
        const found = await loaded(
          names[index]!,
          left.map(({ workflow }) => workflow),
          sending,
        )
        found.warnings.push(...left.flatMap(({ said }) => said))
        return found
      }
      const given = { credentials, dataTables, values, strict, executed: execution?.executed }
      const completed = completeExport(one, all, file, given, catalog)
      const found = await loaded(names[index]!, completed.imports, { ...sending, completed })
      // What a node handed on is as good as what is pinned on it.
      const had = [...(execution?.executed ?? [])].map(([node, { items }]) => [node, items as PinnedItem[]] as const)
      return had.length ? { ...found, pinned: { ...found.pinned, ...Object.fromEntries(had) } } : found
    }),
  )
}

/** The only one that matches. */
export async function findWorkflow(name: string, location: Location, given?: GivenBeside): Promise<Workflow> {
  return (await findWorkflows(name, location, given))[0]!
}

async function requestsOf(request: unknown, where: string): Promise<RequestSpec[] | null> {
  if (request === undefined || request === null) return null
  return typeof request === 'string' ? readRequests(resolve(request)) : parseRequests(request, where)
}

/**
 * A single workflow is chosen whatever it is. Among several, those count that callers reach or that start by
 * themselves, unless another workflow calls them.
 */
function pick(all: Exported[], wanted: string | undefined, where: string, imported: boolean): Exported[] {
  if (wanted !== undefined) {
    const found = all.find(({ id, name }) => id === wanted || name === wanted || slug(name) === wanted)
    if (!found)
      throw usage(
        'no-such-workflow',
        `${where}: Expected a workflow called "${wanted}", got ${all.map(({ name }) => name).join(', ') || 'none'}.`,
        'Name one of these after the #, by its name or its id.',
      )
    return [found]
  }
  if (all.length === 1) return all
  const linked = linkedIn(all)
  const reachable = all.filter(
    (one) => (triggersOf(one).length > 0 || (imported && startsByItself(one))) && !linked.has(one.id),
  )
  if (!reachable.length)
    throw badWorkflow(where, 'a workflow with a Webhook, Form, Chat or MCP trigger', `none in ${all.length} workflows`)
  return reachable
}

function uniqueNames(workflows: Exported[]): string[] {
  const names = workflows.map(({ name }) => slug(name))
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}-${workflows[index]!.id.toLowerCase()}`,
  )
}

/** Whether some of these may call services of others: one of the user's own, or a bundled one that does. Few do. */
export async function mayCallServices(names: string[]): Promise<boolean> {
  const bundled = await bundledWorkflows()
  const calls = await Promise.all(
    names.map(async (name) => {
      const file = bundled.get(name)
      return file === undefined || servicesCalled([{ imports: await readWorkflows(file) }]).length > 0
    }),
  )
  return calls.includes(true)
}

/** Whether one of these is the user's own, and not bundled. */
export async function haveOwn(names: string[]): Promise<boolean> {
  const bundled = await bundledWorkflows()
  return names.some((name) => !bundled.has(name))
}

/** Name → file. */
async function bundledWorkflows(): Promise<Map<string, string>> {
  const files = (await readdir(paths.workflows, { recursive: true })).filter((file) => extname(file) === '.json')
  return new Map(files.sort().map((file) => [basename(file, '.json'), join(paths.workflows, file)]))
}

/** Names of workflows that a load can call: the others are for the editor, or start by themselves. */
export async function loadableWorkflows(): Promise<string[]> {
  const bundled = [...(await bundledWorkflows())]
  const loadable = await Promise.all(
    bundled.map(async ([, file]) => (await readWorkflows(file)).some((one) => triggersOf(one).length > 0)),
  )
  return bundled.filter((_, index) => loadable[index]).map(([name]) => name)
}
