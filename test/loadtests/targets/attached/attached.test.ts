import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readMetrics } from '../../../../loadtests/src/n8n/metrics.ts'
import { attachedTarget, tryAttachment } from '../../../../loadtests/src/targets/attached/attached.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { startSmallN8n, type SmallN8n } from '../../../support/small-n8n/start.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

/** Real servers, each wrong in its own way. */

const folder = temporaryFolder()
const servers: Server[] = []
let n8n: SmallN8n
beforeAll(async () => {
  n8n = await startSmallN8n()
})
afterAll(() => (servers.forEach((server) => server.close()), n8n.stop()))

async function listening(server: Server, scheme = 'http'): Promise<URL> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
const serving = (listener: RequestListener) => listening(createServer(listener))
const saying = (status: number, text = '', headers = {}) =>
  serving((_, response) => response.writeHead(status, headers).end(text))

const webhook = (path: string) => ({ method: 'GET', path: `/webhook/${path}` })
const trying = (url: URL, { metrics = [] as URL[], token = undefined as string | undefined, path = 'work' } = {}) =>
  tryAttachment({ url, metrics, token, patience: 10_000, otherValues: false }, [webhook(path)])
const refused = async (...given: Parameters<typeof trying>) => {
  const { exit, code, message, hint } = await refusalOf(() => trying(...given))
  expect([exit, code]).toEqual([2, 'unreachable'])
  return `${message} ${hint}`
}

describe('a webhook that does not answer as it should is an error that says why', () => {
  test('a redirecting proxy', async () => {
    const said = await refused(await saying(301, '', { location: 'https://n8n.example.com/webhook/work' }))
    expect(said).toContain('301 to https://n8n.example.com/webhook/work')
    expect(said).toContain('give the address it leads to as --target')
  })

  test('a webhook that is not there', async () => {
    const said = await refused(new URL(n8n.url), { path: 'nothing' })
    expect(said).toContain('404')
    expect(said).toContain('Import the workflow there and publish it')
  })

  test.each([401, 403])('one that wants credentials: %i', async (status) => {
    expect(await refused(await saying(status))).toContain('The webhook expects other credentials')
  })

  test('an n8n that fails, in its own words', async () => {
    expect(await refused(await saying(500, '{"message":"Error in workflow"}'))).toContain(
      '500 {"message":"Error in workflow"}',
    )
  })

  test('nobody there', async () => {
    const url = await saying(200)
    await new Promise((resolve) => servers.pop()!.close(resolve))
    expect(await refused(url)).toContain('Nothing listens there')
    expect(await refused(new URL('http://n8n.invalid'))).toMatch(/no such host|may reach it/)
  })

  test('a certificate of an unknown authority', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    )
    const url = await listening(
      createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end('pong')),
      'https',
    )
    const said = await refused(url)
    expect(said).toContain('NODE_EXTRA_CA_CERTS')
    expect(said).toContain('SSL_CERT_FILE')
  })
})

describe('metrics that are none are an error that says why', () => {
  const withMetrics = async (metrics: URL, token?: string) => refused(new URL(n8n.url), { metrics: [metrics], token })

  test('wrong credentials, and missing ones', async () => {
    const guarded = await serving(({ headers }, response) =>
      response
        .writeHead(headers.authorization === 'Bearer right' ? 200 : 401)
        .end('n8n_process_start_time_seconds 1\n'),
    )
    expect(await withMetrics(guarded)).toContain('missing: put the bearer token into N8N_TUNED_METRICS_TOKEN')
    expect(await withMetrics(guarded, 'wrong')).toContain('others than the ones in N8N_TUNED_METRICS_TOKEN')
  })

  test('an n8n that serves none, and one that answers with its editor', async () => {
    expect(await withMetrics(await saying(404))).toContain('Set N8N_METRICS=true')
    expect(await withMetrics(await saying(200, '<!DOCTYPE html>'))).toContain('a page that is no metrics of n8n')
  })

  test('a redirect', async () => {
    expect(await withMetrics(await saying(302, '', { location: '/login' }))).toContain('302 to /login')
  })

  test('ones that do not count executions', async () => {
    expect(await withMetrics(await saying(200, 'n8n_process_start_time_seconds 1\n'))).toContain(
      'N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS=true',
    )
  })
})

test('an execution that the lab made to see whether all is well is over when it goes on', async () => {
  const metrics = new URL('/metrics', n8n.url)
  await trying(new URL(n8n.url), { metrics: [metrics], path: 'work?ms=300' })
  const { executions } = readMetrics(await n8n.get('/metrics'))
  expect(executions!.started).toBeGreaterThan(0)
  expect(executions!.succeeded).toBe(executions!.started)
})

describe('an n8n that runs already', () => {
  const generator = () => ({ cores: 1, memory: 2 ** 30, run: async () => Promise.reject(new Error('not asked')) })
  const open = (metrics: URL[], otherValues = false) =>
    attachedTarget({ url: new URL(`${n8n.url}/`), metrics, token: undefined, patience: 10_000, otherValues }, generator)
  const order = {
    workflows: [{ id: '1', imports: [], webhook: webhook('work') }],
    logs: folder,
    signal: new AbortController().signal,
    onEvent: () => {},
    onProgress: () => {},
  }

  test('is where its URL says, and is still there when the lab has gone', async () => {
    const target = await open([])
    const running = await target.up({ values: {}, tier: null, workloads: [], services: [] }, order)
    expect(running).toMatchObject({ url: n8n.url, processes: [] })
    await running.down()
    await target.close()
    expect(await n8n.get('/webhook/work')).toBe('done')
  })

  test('has a process for every place its metrics are, counted from now on', async () => {
    const target = await open([new URL('/metrics', n8n.url)])
    const { processes } = await target.up({ values: {}, tier: null, workloads: [], services: [] }, order)
    expect(processes).toMatchObject([{ name: 'n8n-0', ranBefore: true, limits: { cpu: null, memory: null } }])
    expect(await processes[0]!.metrics!(5000)).toContain('process_start_time_seconds')
    await target.close()
  })

  test('is told of with what is not known of it', async () => {
    const warnings = async (...given: Parameters<typeof open>) => {
      const target = await open(...given)
      await target.close()
      return target.surroundings!.warnings
    }
    const told = await warnings([])
    expect(told).toContainEqual({ code: 'ran-already', url: expect.stringContaining('http') })
    expect(told).toContainEqual({ code: 'outcome-uncounted' })
    expect(await warnings([new URL('/metrics', n8n.url)])).toContainEqual({ code: 'others-counted' })
    expect(await warnings([], true)).toContainEqual({ code: 'other-values' })
  })
})
