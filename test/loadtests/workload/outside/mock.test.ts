import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeAuthority } from '../../../../loadtests/src/workload/outside/certificates.ts'
import { mock } from '../../../../loadtests/src/workload/outside/server/mock.ts'
import { ask, type Asking } from '../../../support/outside/ask.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { loadOutside, Outside } from '../../../../loadtests/src/model/outside.ts'

/** A real mock, asked over real HTTP and TLS. */

const folder = temporaryFolder()
const authority = await makeAuthority()
const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.close().closeAllConnections()))

async function listening(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const start = (rules: object[], record: string | null = null) =>
  listening(mock({ rules: Outside.parse({ rules }).rules, record }, authority))
const through = (proxy: number, url: string, asking: Asking = {}) =>
  ask(proxy, url, { ca: authority.certificate, ...asking })

test.each(['http://api.example.com/v1/orders?key=1', 'https://api.example.com/v1/orders?key=1'])(
  'a rule answers %s',
  async (url) => {
    const proxy = await start([
      { host: 'api.example.com', path: '/v1/orders', status: 201, headers: { 'X-Kind': 'new' }, body: { ok: true } },
    ])
    const { status, headers, body } = await through(proxy, url, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    })
    expect({ status, body }).toEqual({ status: 201, body: '{"ok":true}' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-kind': 'new' })
  },
)

test('https is believed by the certificate alone, for names and for addresses', async () => {
  const proxy = await start([{ host: '*' }])
  expect((await through(proxy, 'https://203.0.113.7/x')).status).toBe(200)
  await expect(through(proxy, 'https://api.example.com/x', { ca: undefined })).rejects.toMatchObject({
    code: expect.stringMatching(/CERT|ISSUER|VERIFY/),
  })
})

test('https on another port is told from what is not encrypted there', async () => {
  const proxy = await start([{ host: 'api.example.com:8443', body: 'other' }])
  expect((await through(proxy, 'https://api.example.com:8443/x')).body).toBe('other')
})

test('whom no rule knows is refused, with what to do about it', async () => {
  const proxy = await start([])
  const { status, body } = await through(proxy, 'https://slack.com/api/chat.postMessage', { method: 'POST', body: 'x' })
  expect(status).toBe(502)
  expect(JSON.parse(body).error).toMatch(/slack\.com.*outside\.rules.*--allow-outside/)
})

test('a rule’s latency is waited for', async () => {
  const proxy = await start([{ host: '*', latency: '200ms' }])
  const begun = performance.now()
  await through(proxy, 'http://api.example.com/')
  expect(performance.now() - begun).toBeGreaterThan(190)
})

test('a rule with a latency alone changes how long a known service takes, and not its answer', async () => {
  const { rules } = Outside.parse({ rules: [{ host: 'api.telegram.org', latency: '900ms' }] })
  const proxy = await listening(mock({ rules, record: null, hints: [] }, authority))
  const begun = performance.now()
  const { body } = await through(proxy, 'https://api.telegram.org/bot1:x/getMe')
  expect(JSON.parse(body)).toMatchObject({ ok: true, result: { is_bot: true } })
  expect(performance.now() - begun).toBeGreaterThan(890)
})

test('answers without a body have none', async () => {
  const proxy = await start([
    { host: '*', method: 'DELETE', status: 204, body: 'x' },
    { host: '*', body: 'whole' },
  ])
  expect(await through(proxy, 'http://api.example.com/', { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
  expect(await through(proxy, 'http://api.example.com/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
})

test('asked directly, it says what it was asked', async () => {
  const proxy = await start([{ host: 'api.example.com' }])
  for (const id of [1, 2]) await through(proxy, `https://api.example.com/orders/${id}?token=s3cret`)
  await through(proxy, 'http://other.example.com/')
  const { calls, cpu } = (await (await fetch(`http://127.0.0.1:${proxy}/`)).json()) as { calls: object[]; cpu: object }
  expect(calls).toMatchObject([
    { method: 'GET', host: 'api.example.com', path: '/orders/*', outcome: 'answered', count: 2 },
    { method: 'GET', host: 'other.example.com', path: '/', outcome: 'refused', count: 1 },
  ])
  expect(cpu).toEqual({ seconds: expect.any(Number), peak: expect.any(Number) })
  expect(JSON.stringify(calls)).not.toContain('s3cret')
})

describe('while it records', () => {
  let asked = 0
  const service = () =>
    listening(
      createServer((request, response) => {
        asked++
        response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'session=s3cret' })
        request.pipe(response)
      }),
    )

  test('the real service is asked once for each kind of call, however many come at once', async () => {
    asked = 0
    const port = await service()
    const file = join(folder, 'recorded.yaml')
    const proxy = await start([], file)
    const call = (id: number) =>
      through(proxy, `http://127.0.0.1:${port}/orders/${id}`, {
        method: 'POST',
        body: '{"order":7}',
        headers: { authorization: 'Bearer s3cret' },
      })
    const answers = await Promise.all([1, 2, 3].map(call))
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill('{"order":7}'))
    expect(asked).toBe(1)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('s3cret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { rules } = await loadOutside(file)
    expect(rules).toMatchObject([
      { host: `127.0.0.1:${port}`, method: 'POST', path: '/orders/*', status: 200, body: { order: 7 } },
    ])
  })

  test('what was recorded before is not asked again', async () => {
    asked = 0
    const { rules } = await loadOutside(join(folder, 'recorded.yaml'))
    const proxy = await start([], join(folder, 'recorded.yaml'))
    expect((await through(proxy, `http://${rules[0]!.host}/orders/4`, { method: 'POST' })).body).toBe('{"order":7}')
    expect(asked).toBe(0)
  })

  test('what it recorded answers when it is played back', async () => {
    const { rules } = await loadOutside(join(folder, 'recorded.yaml'))
    const proxy = await listening(mock({ rules, record: null }, authority))
    expect((await through(proxy, `http://${rules[0]!.host}/orders/9`, { method: 'POST' })).body).toBe('{"order":7}')
  })

  test('a service that is not there is a refusal, which says why', async () => {
    const proxy = await start([], join(folder, 'none.yaml'))
    const { status, body } = await through(proxy, 'http://127.0.0.1:1/')
    expect(status).toBe(502)
    expect(JSON.parse(body).error).toMatch(/127\.0\.0\.1:1 could not be recorded: .*ECONNREFUSED/)
  })
})
