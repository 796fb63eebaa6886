import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Order } from '../target.ts'

/** Runs n8n's own command line in the container's environment; throws when it fails. */
export type Cli = (args: string[]) => Promise<void>

export interface Seed extends Pick<Order, 'workflows' | 'credentials'> {
  folder: string
  /** Gives the written files to the user who runs n8n. */
  give?: (path: string) => Promise<void>
}

/** Imports and publishes workflows before n8n's first start, so that n8n serves them as soon as it is ready. */
export async function seed(
  cli: Cli,
  version: string,
  { workflows, credentials = [], folder, give = async () => {} }: Seed,
): Promise<void> {
  const imports = new Map(workflows.flatMap((workflow) => workflow.imports).map((one) => [one.id, one]))
  // Only from a folder do both 0.x and 2.x import a file as the editor exports it.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [id, one] of imports) await writeFile(join(folder, `${id}.json`), JSON.stringify(one))
  await give(folder)
  await cli(['import:workflow', '--separate', `--input=${folder}`])
  if (credentials.length) await importCredentials(cli, credentials, folder, give)
  // Before 2.0, only workflows with a trigger become active; sub-workflows need no activation.
  const published = isSince2(version) ? [...imports.keys()] : workflows.map(({ id }) => id)
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
