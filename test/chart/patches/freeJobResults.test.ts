import { expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

/** n8n's own listener hears of three executions, of which its process began the second. */
const hearing = `
  require('reflect-metadata')
  const { ScalingService } = require('./dist/scaling/scaling.service.js')
  const { EventEmitter } = require('node:events')
  const answered = []
  const main = Object.assign(Object.create(ScalingService.prototype), {
    jobResults: new Map(),
    activeExecutions: { has: (id) => id === '2', resolveResponsePromise: (id) => answered.push(id) },
    logger: { info() {} },
    globalConfig: { endpoints: { metrics: {} } },
  })
  const queue = new EventEmitter()
  main.registerMainOrWebhookListeners(queue)
  for (const executionId of ['1', '2', '3'])
    queue.emit('global:progress', executionId, { kind: 'job-finished', version: 2, success: true, executionId })
  const { success } = main.popJobResult('2')
  console.log(JSON.stringify({ success, kept: [...main.jobResults.keys()], answered }))
  process.exit()`

test('a process finds the result of its own execution, and keeps none that another process began', () => {
  const { plain, patched } = eachWay('2.41.1', 'freeJobResults', hearing)
  expect(plain).toEqual({ success: true, kept: ['1', '3'], answered: ['1', '2', '3'] })
  expect(patched).toEqual({ success: true, kept: [], answered: ['1', '2', '3'] })
})
