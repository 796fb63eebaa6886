import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { chartScript, runScript } from '../support/chart-script.ts'
import { makeCertificates, startRedis, type RedisServer } from '../support/redis.ts'
import { runtime } from '../support/runtime.ts'

/** How the chart's sidecars reach Redis, with n8n's own driver and variables. */

let redis: RedisServer
let certificates: string
beforeAll(async () => {
  certificates = await makeCertificates()
  redis = await startRedis({ tls: certificates })
}, 300_000)
afterAll(async () => {
  await redis.stop()
  await rm(certificates, { recursive: true })
})

/** What a script says of that connection. */
async function says(expression: string, env: Record<string, string>): Promise<string> {
  const { node, folder } = runtime('2.41.1')
  const script = `${chartScript('database.js', 'redis.js')}
const redis = connectRedis(n8n())
const said = async () => ${expression}
said().then(console.log, (error) => console.log('failed', error.message)).then(() => process.exit())`
  const given = {
    PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`,
    QUEUE_BULL_PREFIX: 'bull',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redis.port),
    QUEUE_BULL_REDIS_TLS: 'true',
    ...env,
  }
  return (await runScript(script, { node, env: given })).says.trim()
}

test('a certificate that nobody known has signed is refused, unless n8n is told not to check it', async () => {
  expect(await says('redis.ping()', {})).toMatch(/^failed/)
  expect(await says('redis.ping()', { QUEUE_BULL_REDIS_TLS_VALIDATE_CERTIFICATE: 'false' })).toBe('PONG')
})

test('a certificate is checked by the name that n8n is told', async () => {
  const trusted = { NODE_EXTRA_CA_CERTS: join(certificates, 'ca.crt') }
  expect(await says('redis.ping()', { ...trusted, QUEUE_BULL_REDIS_TLS_SERVERNAME: 'redis.test' })).toBe('PONG')
  expect(await says('redis.ping()', { ...trusted, QUEUE_BULL_REDIS_TLS_SERVERNAME: 'other.test' })).toMatch(/^failed/)
})

test('a host that has IPv6 alone is looked up where n8n looks it up', async () => {
  expect(await says('redis.options.family', { QUEUE_BULL_REDIS_DUALSTACK: 'true' })).toBe('0')
})

test('the names of a cluster are left to its certificates where n8n leaves them', async () => {
  const nodes = { QUEUE_BULL_REDIS_CLUSTER_NODES: `127.0.0.1:${redis.port}` }
  const looked = "new Promise((done) => redis.options.dnsLookup('redis.test', (_, address) => done(address)))"
  expect(await says(looked, { ...nodes, QUEUE_BULL_REDIS_DNS_LOOKUP_STRATEGY: 'NONE' })).toBe('redis.test')
})
