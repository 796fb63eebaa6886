import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { surroundings } from '../../../loadtests/src/load/process.ts'
import { cutShort } from '../../../loadtests/src/judge/verdict.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'
import { drive } from '../fixtures/k6.ts'

/** What a user has exported changes nothing of what k6 sends. */

const home = mkdtempSync(join(tmpdir(), 'home-'))
const exported = {
  // k6's own word for what the lab says in its scenario.
  K6_DURATION: '1s',
  K6_VUS: '1',
  K6_ITERATIONS: '1',
  K6_STAGES: '1s:1',
  K6_OUT: `json=${join(home, 'elsewhere.json')}`,
  K6_NO_SUMMARY: 'true',
  K6_HTTP_DEBUG: 'full',
  K6_PAUSED: 'true',
  K6_RPS: '1',
  K6_MIN_ITERATION_DURATION: '1s',
  K6_SUMMARY_MODE: 'legacy',
  K6_SUMMARY_TREND_STATS: 'max',
  K6_SUMMARY_TIME_UNIT: 's',
  K6_NO_VU_CONNECTION_REUSE: 'true',
  K6_THROW: 'true',
  K6_BLACKLIST_IPS: '127.0.0.0/8',
  K6_EXECUTION_SEGMENT: '0:1/4',
  K6_LOG_OUTPUT: 'none',
  K6_NO_THRESHOLDS: 'true',
  K6_CONFIG: join(home, 'none.json'),
  // The names of the lab's own figures.
  STOP: 'yes',
  PART: '3',
  TRACE: 'mine',
  SETTLING: '100',
  LATE_MOST: '0',
  TAGS: 'none',
  // What Go obeys.
  GODEBUG: 'gctrace=1',
  GOMAXPROCS: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
}
const before = { ...process.env }

afterEach(() => {
  process.env = { ...before }
})
afterAll(() => rmSync(home, { recursive: true }))

test.each(Object.entries(exported))('%s=%s, exported, changes nothing of a step', async (name, value) => {
  process.env[name] = value
  const load = await drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 25 } })
  expect(load).toMatchObject({ requests: 50, accepted: 50, failures: {} })
  expect(load.planned).toBe(50)
  expect(load.service.requests).toHaveLength(50)
  expect(load.latency!.p50).toBeGreaterThan(0)
  expect(load.endedAt - load.startedAt).toBe(2000)
})

test('nor does a file of k6’s settings in the user’s home', async () => {
  for (const folder of ['.config/k6', '.config/loadimpact/k6']) {
    mkdirSync(join(home, folder), { recursive: true })
    writeFileSync(join(home, folder, 'config.json'), JSON.stringify({ duration: '1s', vus: 1, iterations: 1 }))
  }
  process.env.HOME = home
  process.env.XDG_CONFIG_HOME = join(home, '.config')
  expect(await drive(() => ({}), { duration: 2, shape: { kind: 'constant', rate: 25 } })).toMatchObject({
    requests: 50,
  })
})

test('clients that wait send for as long as was planned', async () => {
  Object.assign(process.env, { K6_DURATION: '1s', K6_VUS: '1', K6_ITERATIONS: '1' })
  const load = await drive(() => ({ after: 50 }), { duration: 2, shape: { kind: 'closed', vus: 5 } })
  expect(load.requests).toBeGreaterThan(100)
  expect(load.planned).toBe(load.requests)
})

describe('k6 gets', () => {
  const given = {
    PATH: '/bin',
    HOME: '/home/me',
    SSL_CERT_FILE: '/of/mine.pem',
    AWS_SECRET_ACCESS_KEY: 'sesame',
    HTTPS_PROXY: 'http://proxy:3128',
    K6_OUT: 'cloud',
    K6_PROMETHEUS_RW_USERNAME: 'me',
    K6_PROMETHEUS_RW_HEADERS_TENANT: 'one',
  }
  const alone = { folder: '/empty', isWriting: false }

  test('a home of its own, the way to programs, and whom to trust', () => {
    expect(surroundings(given, alone)).toEqual({
      PATH: '/bin',
      SSL_CERT_FILE: '/of/mine.pem',
      HOME: '/empty',
      TMPDIR: '/empty',
    })
  })

  test('credentials for Prometheus, once --remote-write was agreed to', () => {
    const env = surroundings(given, { ...alone, isWriting: true })
    expect(env).toMatchObject({ K6_PROMETHEUS_RW_USERNAME: 'me', K6_PROMETHEUS_RW_HEADERS_TENANT: 'one' })
    expect(env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY')
    expect(env).not.toHaveProperty('K6_OUT')
  })

  test('the proxy that the lab itself goes through, and no other', () => {
    expect(surroundings({ ...given, NODE_USE_ENV_PROXY: '1' }, alone).HTTPS_PROXY).toBe('http://proxy:3128')
  })
})

test('a load that is not what was due is not measured, whatever its answers', () => {
  const load = { requests: 75, planned: 300 } as LoadResult
  expect(cutShort(load)).toEqual({ code: 'generator-behind', by: 'unsent', requests: 75, planned: 300 })
  expect(cutShort({ ...load, planned: 75 })).toBeNull()
})
