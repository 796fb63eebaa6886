import { valueAt } from '../../lib/values.ts'
import { both, is, not, on, type ValuesCondition } from '../rules.ts'
import type { Values } from '../../model/experiment.ts'

/** Switches of the community chart’s values: most other values only have an effect beside one of them. */
export const communityPostgresql = is('db.type', 'postgresdb')
const modes = (all: Values) => [valueAt(all, 'worker.mode'), valueAt(all, 'webhook.mode')]
export const communityQueue = both(communityPostgresql, {
  holds: (all) => modes(all).includes('queue'),
  unless: 'neither worker.mode nor webhook.mode is queue',
})
export const workers = both(communityPostgresql, is('worker.mode', 'queue'))
export const communityProcessors = both(communityPostgresql, is('webhook.mode', 'queue'))
export const bundledPostgresql = both(communityPostgresql, on('postgresql.enabled'))
export const externalPostgresql = both(communityPostgresql, not(on('postgresql.enabled'), 'postgresql.enabled is true'))
export const bundledRedis = both(communityQueue, on('redis.enabled'))
export const externalRedis = both(communityQueue, not(on('redis.enabled'), 'redis.enabled is true'))
export const communityRunners = is('taskRunners.mode', 'external')
export const python = both(communityRunners, on('nodes.python.enabled'))
export const communityLicensed = on('license.enabled')
export const communityPersistent = on('main.persistence.enabled')
export const s3: ValuesCondition = {
  holds: (all) => ((valueAt(all, 'binaryData.availableModes') ?? []) as string[]).includes('s3'),
  unless: 'binaryData.availableModes has no s3',
}
export const logFile: ValuesCondition = {
  holds: (all) => ((valueAt(all, 'log.output') ?? []) as string[]).includes('file'),
  unless: 'log.output has no file',
}
