import type { Values } from '../../profile/experiment.ts'
import { at } from '../draft.ts'
import { both, on, type Asked } from '../rules.ts'

const is =
  (path: string, value: string): Asked =>
  (all: Values) =>
    at(all, path) === value

/** Switches of the community chart’s values: most other values only have an effect beside one of them. */
export const postgresql = is('db.type', 'postgresdb')
export const queue = both(postgresql, is('worker.mode', 'queue'))
export const processors = both(queue, is('webhook.mode', 'queue'))
export const bundledPostgresql = both(postgresql, on('postgresql.enabled'))
export const externalPostgresql = both(postgresql, (all) => !on('postgresql.enabled')(all))
export const bundledRedis = both(queue, on('redis.enabled'))
export const externalRedis = both(queue, (all) => !on('redis.enabled')(all))
export const runners = is('taskRunners.mode', 'external')
export const licensed = on('license.enabled')
export const s3 = (all: Values) => ((at(all, 'binaryData.availableModes') ?? []) as string[]).includes('s3')
