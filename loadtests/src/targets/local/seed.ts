import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import type { Container } from '../../chart/plan.ts'
import { withMockAddress } from '../../model/outside.ts'
import { giveDataTables, tablesOf } from '../data-tables.ts'
import type { Order } from '../target.ts'
import { invalid } from '../../lib/errors.ts'
import type { LocalPod } from './pod.ts'
import { publishAll } from '../../n8n/publish.ts'
import { type PlanContext, runIn, settingsFromHere } from './start-pod.ts'
import { giveTo } from './volumes.ts'

/** Imports the workflows into the plan's n8n, before its first start. */
export async function seedPlan(pod: LocalPod, context: PlanContext): Promise<void> {
  const [container] = pod.workload.containers as [Container]
  const { workflows, credentials: given, signal } = context.order
  const { mock: ports } = context
  const credentials = given && ports ? withMockAddress(given, { host: '127.0.0.1', ports }) : given
  const cli = async (args: string[]) => {
    const outcome = await runIn(pod, container, context, { log: 'seed', signal, args })
    signal.throwIfAborted()
    if (outcome.code !== 0)
      throw invalid(
        'seed-failed',
        `Expected n8n to take the workflows, but n8n ${args[0]} failed.`,
        'The last lines of n8n’s log say why.',
        outcome.log,
      )
  }
  const tables = tablesOf(workflows)
  const seedVolume = async () => {
    await seed(cli, container.image.tag, {
      workflows,
      credentials,
      folder: join(pod.folder, 'seed'),
      give: (path) => giveTo(pod.owner, path),
      publishAll: (ids) => publishAll(settingsFromHere(pod, container, context), ids),
    })
    await giveDataTables(tables, settingsFromHere(pod, container, context), container.image)
  }
  await seedOnce(
    seedVolume,
    pod,
    container,
    [workflows.map(({ imports }) => imports), credentials ?? [], tables],
    join(context.machine.scratch.path, 'seeds'),
  )
}

/**
 * Importing takes n8n's command line several seconds, and every variant of a run begins with the same volume. So the
 * lab imports once and copies the volume. That works only if the volume holds all of n8n's data, as with SQLite.
 */
export async function seedOnce(
  seed: () => Promise<void>,
  pod: LocalPod,
  container: Container,
  contents: object,
  store: string,
): Promise<void> {
  const claim = pod.workload.volumes.find(({ kind }) => kind === 'claim')
  const { DB_TYPE = 'sqlite' } = container.env
  if (!claim || DB_TYPE !== 'sqlite') return seed()
  const volume = pod.volumes.get(claim.name)!
  const kept = join(store, keyOf(container, contents))
  if (existsSync(kept)) {
    await cp(kept, volume, { recursive: true })
    return giveTo(pod.owner, volume)
  }
  await seed()
  // The files hold n8n's key.
  makeFolder(store, 0o700)
  // Community nodes belong to one plan: they may be links into its folders.
  await cp(volume, kept, { recursive: true, filter: (path) => relative(volume, path) !== 'nodes' })
}

const keyOf = ({ image, env }: Container, contents: object): string =>
  createHash('sha256')
    .update(JSON.stringify([image, env.N8N_ENCRYPTION_KEY ?? null, contents]))
    .digest('hex')
    .slice(0, 16)

/** Runs n8n's own command line in the container's environment; throws when it fails. */
export type Cli = (args: string[]) => Promise<void>

export interface Seed extends Pick<Order, 'workflows' | 'credentials'> {
  folder: string
  /** Gives the written files to the user who runs n8n. */
  give?: (path: string) => Promise<void>
  /** Publishes them in n8n's database: its command line takes seconds for each. */
  publishAll?: (ids: string[]) => Promise<void>
}

/** Imports and publishes workflows before n8n's first start, so that n8n serves them as soon as it is ready. */
export async function seed(
  cli: Cli,
  version: string,
  { workflows, credentials = [], folder, give = async () => {}, publishAll }: Seed,
): Promise<void> {
  const imports = new Map(workflows.flatMap((workflow) => workflow.imports).map((one) => [one.id, one]))
  // Only from a folder do both 0.x and 2.x import a file as the editor exports it.
  makeFolder(folder, 0o700)
  // By number, since their ids come from outside; and only where nothing is yet.
  for (const [index, one] of [...imports.values()].entries())
    await writeFile(join(folder, `${String(index).padStart(5, '0')}.json`), JSON.stringify(one), {
      flag: 'wx',
      // Nodes may have secrets, too.
      mode: 0o600,
    })
  await give(folder)
  // First, because an import of workflows drops references to credentials that are not there.
  if (credentials.length) await importCredentials(cli, credentials, folder, give)
  await cli(['import:workflow', '--separate', `--input=${folder}`])
  // Before 2.0, only workflows with a trigger become active; sub-workflows need no activation.
  const published = isSince2(version) ? [...imports.keys()] : workflows.map(({ id }) => id)
  if (publishAll && isSince2(version)) {
    // An n8n whose tables are others is asked by its command line.
    const done = await publishAll(published).then(
      () => true,
      () => false,
    )
    if (done) return
  }
  for (const id of published) await cli(publish(version, id))
}

async function importCredentials(
  cli: Cli,
  credentials: object[],
  folder: string,
  give: (path: string) => Promise<void>,
): Promise<void> {
  const secret = join(folder, 'credentials')
  const file = join(secret, 'credentials.json')
  await mkdir(secret, { mode: 0o700 })
  try {
    await writeFile(file, JSON.stringify(credentials), { mode: 0o600 })
    await give(secret)
    await cli(['import:credentials', `--input=${file}`])
  } finally {
    await rm(secret, { recursive: true })
  }
}

const isSince2 = (version: string) => Number(version.split('.')[0]) >= 2

/** 2.0 separated drafts from published versions, and gave the command its name. */
const publish = (version: string, id: string): string[] =>
  isSince2(version) ? ['publish:workflow', `--id=${id}`] : ['update:workflow', `--id=${id}`, '--active=true']
