import type { SeedWorkflow } from '../target.ts'

/** Runs n8n's own command line in the container's surroundings; throws when it fails. */
export type Cli = (args: string[]) => Promise<void>

/** Imports and publishes workflows before n8n's first start: n8n then serves them as soon as it is ready. */
export async function seed(cli: Cli, version: string, workflows: SeedWorkflow[]): Promise<void> {
  for (const { file } of workflows) await cli(['import:workflow', `--input=${file}`])
  for (const { id } of workflows) await cli(publish(version, id))
}

/** 2.0 gave workflows drafts and published versions, and the command its name. */
function publish(version: string, id: string): string[] {
  const major = Number(version.split('.')[0])
  return major >= 2 ? ['publish:workflow', `--id=${id}`] : ['update:workflow', `--id=${id}`, '--active=true']
}
