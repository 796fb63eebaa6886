import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { runtime } from '../support/runtime.ts'

/** docs/resilience.md, "What n8n leaves to you": why the chart does not let n8n look for lost executions more often. */

/** n8n's own look, of which the database has two executions. The job of the second is not in the queue yet. */
const look = `
  require('reflect-metadata')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const crashed = []
  const main = Object.assign(Object.create(ScalingService.prototype), {
    queueRecoveryContext: { batchSize: 100, waitMs: 1000 },
    executionRepository: { getInProgressExecutionIds: async () => ['1', '2'] },
    findJobsByStatus: async () => [{ data: { executionId: '1' } }],
    executionCrashService: { markAsCrashed: async (ids) => crashed.push(...ids) },
    logger: { debug() {}, info() {} },
  })
  main.recoverFromQueue().then(() => process.stdout.write(JSON.stringify(crashed), () => process.exit()))`

test('an execution that n8n is just about to queue counts as crashed', () => {
  const { node, folder } = runtime('2.41.1')
  const said = execFileSync(node, ['-e', look], { cwd: join(folder, 'node_modules/n8n'), encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual(['2'])
})
