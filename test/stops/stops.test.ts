import { expect, test } from '@jest/globals'
import { until } from '../../loadtests/src/lib/await.ts'
import { isAlive, signal } from '../../loadtests/src/lib/processes.ts'
import { startN8n } from '../support/n8n.ts'
import { patchFiles } from '../support/patch-files.ts'
import { postgresqlEnv, startPostgresql } from '../support/postgresql.ts'
import { startRedis } from '../support/redis.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { bundled } from '../workflows/files.ts'

/**
 * How often a worker that stops leaves a job behind, while others wait: n8n by itself, and with the patch
 * finishTakenJobs. What n8n by itself leaves is told, and differs from run to run.
 */

const stops = 16
const callers = 40
const folder = temporaryFolder()
const { path } = bundled.find(({ name }) => name === 'ping-webhook')!

/** How many of the stops left a job that Redis says a worker has. */
async function leftBehind(more: Record<string, string>): Promise<number> {
  const redis = await startRedis()
  const postgresql = await startPostgresql(['-c', 'fsync=off'])
  const n8n = await startN8n('2.41.1', [path], {
    env: {
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      ...postgresqlEnv(postgresql),
      ...more,
    },
  })
  let left = 0
  try {
    for (let stop = 0; stop < stops; stop++) {
      const worker = await n8n.startWorker()
      const over = new AbortController()
      const call = async () => {
        while (!over.signal.aborted)
          await fetch(`${n8n.url}/webhook/ping`, { signal: over.signal }).then(
            (answer) => answer.text(),
            () => {},
          )
      }
      const calling = Array.from({ length: callers }, call)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      signal(worker.pid, 'SIGTERM')
      expect(await until(() => Promise.resolve(!isAlive(worker.pid)), { timeout: 60_000, every: 20 })).toBe(true)
      if (Number(await redis.run('LLEN', 'bull:jobs:active')) > 0) left++
      over.abort()
      await Promise.all(calling)
      await redis.run('DEL', 'bull:jobs:active', 'bull:jobs:wait')
    }
  } finally {
    await n8n.stop()
    await postgresql.stop()
    await redis.stop()
  }
  return left
}

test('a worker with the patch leaves no job behind when it stops', async () => {
  const plain = await leftBehind({})
  const patched = await leftBehind({
    N8N_TUNED_PATCHES: 'finishTakenJobs',
    NODE_OPTIONS: `--require ${patchFiles(folder)}`,
  })
  process.stderr.write(`Of ${stops} stops each, ${plain} left a job without the patch, ${patched} with it.\n`)
  expect(patched).toBe(0)
}, 900_000)
