import { isMap } from '../lib/values.ts'
import { community } from './community/source.ts'
import { readCompose } from './compose/read.ts'
import { dockerCompose, swarm } from './compose/source.ts'
import { readDockerRun, readEnvFiles } from './docker/read.ts'
import { dockerRun, envFile } from './docker/source.ts'
import { readManifests } from './manifests/read.ts'
import { ownManifests } from './manifests/source.ts'
import { official } from './official/source.ts'
import type { Reader, Source } from './source.ts'
import type { Values } from '../model/experiment.ts'
import { eightGears0 } from './eight-gears/release-0.ts'
import { eightGears1 } from './eight-gears/release-1.ts'

/** The names that `--from` accepts, and which source each is for the given file. */
export const sources = {
  official: () => official,
  community: () => community,
  '8gears': eightGears,
  compose: () => dockerCompose,
  swarm: () => swarm,
  docker: () => dockerRun,
  env: () => envFile,
  manifests: () => ownManifests,
} satisfies Record<string, (theirs: Values) => Source>

export type SourceName = keyof typeof sources

/** Those whose files are no values of a chart, and what reads them. */
export const readers: Partial<Record<SourceName, Reader>> = {
  compose: readCompose,
  swarm: readCompose,
  docker: readDockerRun,
  env: readEnvFiles,
  manifests: readManifests,
}

/** From release 1.0 on everything of n8n is below `main`. */
function eightGears(theirs: Values): Source {
  return [theirs.main, theirs.worker, theirs.webhook].some(isMap) ? eightGears1 : eightGears0
}
