import { both, is, not, on, type Asked } from '../rules.ts'
import { at } from '../values.ts'
import type { Values } from '../../model/experiment.ts'

/** Switches of the community chart’s values: most other values only have an effect beside one of them. */
export const postgresql = is('db.type', 'postgresdb')
const modes = (all: Values) => [at(all, 'worker.mode'), at(all, 'webhook.mode')]
export const queue = both(postgresql, {
  holds: (all) => modes(all).includes('queue'),
  unless: 'neither worker.mode nor webhook.mode is queue',
})
export const workers = both(postgresql, is('worker.mode', 'queue'))
export const processors = both(postgresql, is('webhook.mode', 'queue'))
export const bundledPostgresql = both(postgresql, on('postgresql.enabled'))
export const externalPostgresql = both(postgresql, not(on('postgresql.enabled'), 'postgresql.enabled is true'))
export const bundledRedis = both(queue, on('redis.enabled'))
export const externalRedis = both(queue, not(on('redis.enabled'), 'redis.enabled is true'))
export const runners = is('taskRunners.mode', 'external')
export const python = both(runners, on('nodes.python.enabled'))
export const licensed = on('license.enabled')
export const persistent = on('main.persistence.enabled')
export const s3: Asked = {
  holds: (all) => ((at(all, 'binaryData.availableModes') ?? []) as string[]).includes('s3'),
  unless: 'binaryData.availableModes has no s3',
}
export const logFile: Asked = {
  holds: (all) => ((at(all, 'log.output') ?? []) as string[]).includes('file'),
  unless: 'log.output has no file',
}
