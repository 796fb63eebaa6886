import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { runtime } from '../support/runtime.ts'

/** docs/resilience.md, "What n8n leaves to you": main keeps the result of every execution that a processor began. */

/** Lets n8n's own listener hear of three executions, of which this process began and collects one. */
const script = `
  require('reflect-metadata')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const { EventEmitter } = require('node:events')
  const main = Object.assign(Object.create(ScalingService.prototype), {
    jobResults: new Map(),
    activeExecutions: { resolveResponsePromise() {} },
    logger: { info() {} },
    globalConfig: { endpoints: { metrics: {} } },
  })
  const queue = new EventEmitter()
  main.registerMainOrWebhookListeners(queue)
  for (const executionId of ['1', '2', '3'])
    queue.emit('global:progress', executionId, { kind: 'job-finished', version: 2, success: true, executionId })
  main.popJobResult('2')
  console.log(JSON.stringify([...main.jobResults.keys()]))
  process.exit()`

test('a process keeps the results of executions that another one began', () => {
  const { node, folder } = runtime('2.41.1')
  const cwd = join(folder, 'node_modules/n8n')
  const said = execFileSync(node, ['-e', script], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  expect(JSON.parse(said)).toEqual(['1', '3'])
})
