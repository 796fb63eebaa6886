import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SeedWorkflow } from '../target.ts'

/** Runs n8n's own command line in the container's surroundings; throws when it fails. */
export type Cli = (args: string[]) => Promise<void>

/** Imports and publishes workflows before n8n's first start: n8n then serves them as soon as it is ready. */
export async function seed(cli: Cli, version: string, workflows: SeedWorkflow[], folder: string): Promise<void> {
  // Only from a folder do both lines of n8n take a file as the editor exports it.
  await mkdir(folder, { recursive: true })
  for (const { file } of workflows) await copyFile(file, join(folder, basename(file)))
  await cli(['import:workflow', '--separate', `--input=${folder}`])
  for (const { id } of workflows) await cli(publish(version, id))
}

/** 2.0 gave workflows drafts and published versions, and the command its name. */
function publish(version: string, id: string): string[] {
  const major = Number(version.split('.')[0])
  return major >= 2 ? ['publish:workflow', `--id=${id}`] : ['update:workflow', `--id=${id}`, '--active=true']
}
