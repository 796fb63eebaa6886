import { tmpdir } from 'node:os'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { driveStep } from '../../../loadtests/src/load/k6.ts'
import { processGenerator } from '../../../loadtests/src/load/process.ts'
import type { LoadResult } from '../../../loadtests/src/model/load-result.ts'
import type { PlannedStep, SentRequest } from '../../../loadtests/src/model/step.ts'

/** The real k6 sends requests to a service that says what it got. */

interface Got {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

interface Answered {
  status?: number
  body?: string
}

type Asked = Partial<PlannedStep> | ((url: string) => Partial<PlannedStep>)

/** One step against a service that answers so. */
async function drive(
  asked: Asked,
  answer: (got: Got) => Answered = () => ({}),
  onFirst = () => {},
): Promise<{ load: LoadResult; got: Got[] }> {
  const got: Got[] = []
  const server = createServer(async (request, response) => {
    const one = { method: request.method!, url: request.url!, headers: request.headers, body: await text(request) }
    if (got.push(one) === 1) onFirst()
    const { status = 200, body = '{}' } = answer(one)
    response.writeHead(status).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const step: PlannedStep = {
    url,
    method: 'GET',
    timeout: 5,
    duration: 1,
    shape: { kind: 'constant', rate: 40 },
    ...(typeof asked === 'function' ? asked(url) : asked),
  }
  try {
    return {
      load: await driveStep(step, {
        generator: processGenerator({ onCores: (argv) => argv, cores: 1, track: () => {}, folder: tmpdir() }),
        p95: 500,
        signal: new AbortController().signal,
      }),
      got,
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const anything = { status: null, json: null, text: null }
const sent = (url: string, given: Partial<SentRequest> = {}): SentRequest => ({
  url,
  method: 'POST',
  headers: {},
  body: null,
  weight: 1,
  table: null,
  expect: anything,
  ...given,
})
const sending =
  (...all: ((url: string) => SentRequest)[]) =>
  (url: string) => ({ requests: all.map((one) => one(url)) })
const json = (body: object) => ({ kind: 'text', text: JSON.stringify(body), escape: 'json' }) as const
const together = test.concurrent

together('a request has its method, path, query, headers and body', async () => {
  const { got } = await drive(
    sending((url) =>
      sent(`${url}/webhook/orders?kind=a%20b`, {
        method: 'PUT',
        headers: { 'x-shop': 'lab', 'content-type': 'application/json' },
        body: json({ order: 'é' }),
      }),
    ),
  )
  expect(got[0]).toMatchObject({
    method: 'PUT',
    url: '/webhook/orders?kind=a%20b',
    headers: { 'x-shop': 'lab', 'content-type': 'application/json' },
    body: '{"order":"é"}',
  })
})

together('changing fields are others in each request', async () => {
  const tables = [[{ name: 'a "b"' }, { name: 'c' }]]
  const { got, load } = await drive((url) => ({
    tables,
    requests: [
      sent(`${url}/?id={{uuid}}`, {
        headers: { 'x-count': '{{counter}}' },
        body: json({ name: '{{row.name}}' }),
        table: 0,
      }),
    ],
  }))
  expect(new Set(got.map(({ headers }) => Number(headers['x-count'])))).toEqual(
    new Set(Array.from({ length: load.requests }, (_, index) => index + 1)),
  )
  expect(new Set(got.map(({ url }) => url)).size).toBe(load.requests)
  for (const { headers, body } of got)
    expect(JSON.parse(body).name).toBe(Number(headers['x-count']) % 2 ? 'a "b"' : 'c')
})

together('each body has the signature that fits it', async () => {
  const secret = { secret: 'schlüssel', value: 'sha256={{signature}}', hash: 'sha256', encoding: 'hex' } as const
  const { got, load } = await drive(
    sending(
      (url) =>
        sent(`${url}/plain`, {
          body: json({ order: '{{counter}}', size: 'Größe' }),
          sign: { ...secret, header: 'x-signature', over: '{{body}}' },
        }),
      (url) =>
        sent(`${url}/bytes`, {
          body: { kind: 'bytes', base64: Buffer.from([0, 200, 255]).toString('base64') },
          sign: { ...secret, header: 'x-signature', over: '{{body}}' },
        }),
      (url) =>
        sent(`${url}/timed`, {
          body: json({ order: '{{uuid}}' }),
          sign: { ...secret, header: 'x-signature', over: 'v0:{{seconds}}:{{body}}', clock: 'x-time' },
        }),
    ),
  )
  expect(new Set(got.map(({ body }) => body)).size).toBeGreaterThan(load.requests / 2)
  for (const { url, headers, body } of got) {
    const what = url === '/timed' ? `v0:${String(headers['x-time'])}:${body}` : body
    const signed = url === '/bytes' ? Buffer.from([0, 200, 255]) : what
    expect(headers['x-signature']).toBe(`sha256=${createHmac('sha256', 'schlüssel').update(signed).digest('hex')}`)
  }
})

together('a form is sent with its files', async () => {
  const files = [{ field: 'photo', name: 'a.png', type: 'image/png', base64: Buffer.from('pixels').toString('base64') }]
  const { got } = await drive(
    sending((url) => sent(url, { body: { kind: 'multipart', fields: { order: '{{counter}}' }, files } })),
  )
  expect(got[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(got[0]!.body).toMatch(/name="photo"; filename="a\.png"\r\nContent-Type: image\/png\r\n\r\npixels/)
  expect(got[0]!.body).toMatch(/name="order"\r\n\r\n\d+/)
})

together('a file is sent byte by byte', async () => {
  const { got } = await drive(
    sending((url) => sent(url, { body: { kind: 'bytes', base64: Buffer.from('<order/>').toString('base64') } })),
  )
  expect(got[0]!.body).toBe('<order/>')
})

together('kinds of requests come as often as their weights say', async () => {
  const { got, load } = await drive(
    sending(
      (url) => sent(`${url}/often`, { weight: 3 }),
      (url) => sent(`${url}/seldom`),
    ),
  )
  expect(Math.abs(got.filter(({ url }) => url === '/often').length - 0.75 * load.requests)).toBeLessThanOrEqual(2)
})

together('of many requests each is sent', async () => {
  const { got } = await drive((url) => ({
    duration: 3,
    requests: Array.from({ length: 60 }, (_, index) => sent(`${url}/${index}`)),
  }))
  expect(new Set(got.map(({ url }) => url)).size).toBeGreaterThan(55)
})

together('a wrong answer is a failure, counted by what is wrong', async () => {
  const expecting =
    (path: string, expect: Partial<SentRequest['expect']> = {}) =>
    (url: string) =>
      sent(url + path, { expect: { ...anything, ...expect } })
  const { load } = await drive(
    sending(
      expecting('/json', { json: '{"ok":true}' }),
      expecting('/text', { text: 'thanks' }),
      expecting('/created', { status: [201] }),
      expecting('/status'),
      expecting('/right', { json: '{"ok":false}', text: '"ok"' }),
      expecting('/gone', { status: [410] }),
    ),
    ({ url }) => ({ status: { '/status': 500, '/gone': 410 }[url], body: '{"ok":false}' }),
  )
  expect(Object.keys(load.failures).sort()).toEqual(['status_5xx', 'wrong_json', 'wrong_status', 'wrong_text'])
  const failed = Object.values(load.failures).reduce((sum, count) => sum + count, 0)
  expect(load.accepted + failed).toBe(load.requests)
  expect(Math.abs(load.accepted - load.requests / 3)).toBeLessThanOrEqual(3)
})

together('in a mix, each workflow is sent its own, by its share', async () => {
  const part = (url: string, workflow: string, kinds: number) => ({
    workflow,
    id: workflow,
    url,
    method: 'GET',
    weight: 1,
    requests: Array.from({ length: kinds }, (_, kind) => sent(`${url}/${workflow}/${kind}`)),
  })
  const { load, got } = await drive((url) => ({ mix: [part(url, 'one', 3), part(url, 'two', 1)] }))
  const [one, two] = load.parts!
  expect(one!.accepted + two!.accepted).toBe(load.accepted)
  expect(Math.abs(one!.accepted - two!.accepted)).toBeLessThanOrEqual(2)
  expect(new Set(got.map(({ url }) => url))).toEqual(new Set(['/one/0', '/one/1', '/one/2', '/two/0']))
})

together(
  'secrets are in no argument and no environment, but in a file that only its owner reads and that is gone afterwards',
  async () => {
    const secret = 'k6-test-secret-8a1f'
    let told = ''
    let given: { file: string; mode: number }[] = []
    const { got } = await drive(
      sending((url) => sent(url, { headers: { authorization: `Bearer ${secret}` } })),
      undefined,
      () => {
        told = execFileSync('ps', ['axeww', '-o', 'args'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
        const files = [...new Set(told.match(/(?<=REQUESTS=)\S+/g))].filter(
          (file) => existsSync(file) && readFileSync(file, 'utf8').includes(secret),
        )
        given = files.map((file) => ({ file, mode: statSync(file).mode & 0o777 }))
      },
    )
    expect(got[0]!.headers.authorization).toBe(`Bearer ${secret}`)
    expect(told).not.toContain(secret)
    expect(given).toEqual([{ file: expect.any(String), mode: 0o600 }])
    expect(existsSync(given[0]!.file)).toBe(false)
  },
)
