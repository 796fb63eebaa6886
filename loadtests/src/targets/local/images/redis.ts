import { delimiter, dirname } from 'node:path'
import type { Image } from '../../../chart/plan.ts'
import { paths } from '../../../lib/paths.ts'
import type { LocalImage } from './image.ts'
import { findProgram } from './programs.ts'

/** The machine's own Redis, which listens on loopback only. */
export async function redis({ repository }: Image): Promise<LocalImage> {
  const server = await findProgram('redis-server', `the image ${repository}`)
  const client = await findProgram('redis-cli', `the image ${repository}`)
  return {
    kind: 'redis',
    entrypoint: ['redis-server'],
    env: { PATH: [paths.redisOnLoopback, dirname(client), '/usr/bin', '/bin'].join(delimiter), REDIS_SERVER: server },
    listens: { REDIS_PORT: 6379 },
    user: null,
  }
}
