import { readMetrics } from '../../../loadtests/src/n8n/metrics.ts'
import { metricsText } from '../../support/small-n8n/metrics.mjs'

const startedAt = 1_795_171_014
const heap = { heapUsed: 416_449_432, heapTotal: 510_291_968, external: 125_208_465 }

describe.each([
  ['2.x', false],
  ['0.x', true],
])('of n8n %s', (_, line0) => {
  const read = (counts: object = {}) =>
    readMetrics(metricsText({ startedAt, memory: { ...process.memoryUsage(), ...heap }, line0, ...counts }))

  test('the heap is read in bytes, open files as a count, the lag in milliseconds and the start as a moment', () => {
    expect(read()).toMatchObject({ ...heap, files: 47, lag: expect.closeTo(229.9, 1), startedAt: startedAt * 1000 })
  })

  test('executions are summed over the workflows', () => {
    expect(read({ started: 101, succeeded: 90, failed: 3 }).executions).toEqual({
      started: 101,
      succeeded: 90,
      failed: 3,
    })
  })

  test('requests are those to webhooks, and executions where n8n does not count them', () => {
    const webhooks = 'n8n_webhook_request_duration_seconds'
    const lines = ['200', '404'].flatMap((status) => [
      `${webhooks}_bucket{le="+Inf",status_code="${status}"} 4`,
      `${webhooks}_sum{status_code="${status}"} 0.1`,
      `${webhooks}_count{status_code="${status}"} 4`,
    ])
    const histogram = [`# TYPE ${webhooks} histogram`, ...lines, ''].join('\n')
    const text = metricsText({ startedAt, started: 3, line0 })
    expect(readMetrics(text).requests).toBe(3)
    expect(readMetrics(text + histogram).requests).toBe(8)
    expect(readMetrics(`${text}# TYPE ${webhooks} histogram\n`).requests).toBe(0)
  })

  test('the pool of the database’s connections, where n8n counts it', () => {
    const text = 'n8n_db_pool_connections_active 1\nn8n_db_pool_connections_idle 0\n'
    const all = `${text}n8n_db_pool_requests_pending 12\nn8n_db_pool_connections_max 1\n`
    expect(readMetrics(metricsText({ startedAt, line0 }) + all).pool).toEqual({ active: 1, waiting: 12, max: 1 })
    expect(read().pool).toBeNull()
  })

  test('executions are none before the first, which n8n does not write down', () => {
    expect(read().executions).toEqual({ started: 0, succeeded: 0, failed: 0 })
  })
})

test.each([
  ['n8n is starting up. Please wait', 'that is still starting, and says so with status 200'],
  ['<html><body>Hello</body></html>', 'of another kind'],
  ['', 'that says nothing'],
])('%j, of a process %s, counts no executions', (text) => {
  expect(readMetrics(text)).toEqual({
    startedAt: null,
    heapUsed: null,
    heapTotal: null,
    external: null,
    lag: null,
    executions: null,
    requests: null,
    pool: null,
    files: null,
  })
})
