import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { openLive, type Live } from '../../../loadtests/src/cli/live.ts'
import { remember } from '../../../loadtests/src/secret/known.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { cell, experiment, sample, step, T0 } from '../fixtures/records.ts'

/** The server of the live page: who may read it, what it tells, and how it ends. */

const folder = temporaryFolder()
const planned = [
  { cell: 0, variant: 'n8n-defaults', workflow: 'ping-webhook', matrix: {} },
  { cell: 1, variant: 'tuned', workflow: 'ping-webhook', matrix: {} },
]

let live: Live
const failures: string[] = []
beforeEach(async () => {
  live = await openLive({
    experiment: experiment(),
    planned,
    onFailure: (text) => failures.push(text),
  })
})
afterEach(async () => {
  await live.close(null)
  expect(failures).toEqual([])
})

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

const ask = (path: string, { host, method = 'GET' }: { host?: string; method?: string } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host }
    const request = get(new URL(path, live.url), { agent: false, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    request.on('error', reject)
  })

/** Reads the stream, event by event. */
async function follow(): Promise<{ next(): Promise<{ event: string; data: string }>; leave(): void }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(new URL('/events', live.url), { agent: false }, resolve).on('error', reject),
  )
  const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]()
  let text = ''
  return {
    async next() {
      while (!text.includes('\n\n')) text += ((await pieces.next()) as { value: string }).value
      const [first, ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(first!)!
      return { event: event!, data: data! }
    },
    leave: () => void response.destroy(),
  }
}

const partsNow = async (): Promise<Record<string, string>> => {
  const stream = await follow()
  const { data } = await stream.next()
  stream.leave()
  return JSON.parse(data).parts
}

test('it is there for this machine alone', async () => {
  const { port } = new URL(live.url)
  const others = Object.values(networkInterfaces()).flatMap((all) => all!.filter((one) => one.family === 'IPv4'))
  expect((await ask('/')).status).toBe(200)
  for (const { address } of others.filter(({ internal }) => !internal))
    await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow('fetch failed')
})

test('a name of others that points to this machine gets nothing', async () => {
  const { port } = new URL(live.url)
  expect((await ask('/', { host: `evil.example:${port}` })).status).toBe(403)
  expect((await ask('/events', { host: 'evil.example' })).status).toBe(403)
  expect((await ask('/', { host: `localhost:${port}` })).status).toBe(200)
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused: it can only be read', async (method) => {
  expect((await ask('/', { method })).status).toBe(405)
})

test('the page runs its own script alone, and asks nobody else', async () => {
  const { headers } = await ask('/')
  const policy = headers['content-security-policy']
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /)
  expect(policy).toMatch(/; connect-src 'self'; frame-ancestors 'none'$/)
  expect(headers['access-control-allow-origin']).toBeUndefined()
})

test('each step is told with its verdict when it has ended, and the search with what it knows', async () => {
  live.recorded(cell(0))
  live.recorded(step(0, 40))
  live.recorded(step(0, 60, { because: ['latency'] }))
  const { steps, plan } = await partsNow()
  expect(steps).toMatch(/60\/s<\/td><td class="broke"[^>]*>latency<.*40\/s<\/td><td class="held">held</s)
  expect(plan).toMatch(/ping-webhook on n8n-defaults: sustains [\d.]+ to [\d.]+\/s \(before: at least [\d.]+\/s\)\./)
})

test('what its processes use is told with each look at them, and n8n’s throughput from two on', async () => {
  live.recorded(cell(0))
  const executions = (succeeded: number) => ({ started: succeeded, succeeded, failed: 0 })
  live.recorded(sample(0, T0, { cpu: 0.5, rss: 300 * 2 ** 20, executions: executions(100) }))
  expect((await partsNow()).figures).toMatch(/>–<.*>0.5<.*>300 MiB</s)
  live.recorded(sample(0, T0 + 1000, { cpu: 0.75, rss: 310 * 2 ** 20, executions: executions(142) }))
  expect((await partsNow()).figures).toMatch(/>42\/s<.*>0.75<.*>310 MiB</s)
})

test('what is under way, what comes next, and how long the rest takes', async () => {
  live.doing('ping-webhook on n8n-defaults: 40/s')
  live.recorded(cell(0))
  const { now, plan } = await partsNow()
  expect(now).toMatch(/ping-webhook on n8n-defaults: 40\/s.*not known yet/s)
  expect(plan).toMatch(/>now<\/span> ping-webhook on n8n-defaults<.*>next<\/span> ping-webhook on tuned</s)
  live.left(90)
  expect((await partsNow()).now).toContain('About 1 min 30 s left.')
})

test('a secret of the run is in nothing that it tells', async () => {
  remember('hunter2-hunter2')
  live.doing('Logging in with hunter2-hunter2')
  const parts = await partsNow()
  expect(JSON.stringify(parts)).not.toContain('hunter2')
  expect(parts.now).toContain('Logging in with REDACTED')
})

test('a warning is told when it is written, and markup in it is text', async () => {
  live.recorded({ type: 'warning', at: T0, warning: 'n8n said: <img src=x onerror=alert(1)>' })
  expect((await partsNow()).warnings).toContain('<li>n8n said: &lt;img src=x onerror')
})

test('a reader who leaves changes nothing for the others', async () => {
  const [one, other] = [await follow(), await follow()]
  await one.next()
  await other.next()
  one.leave()
  live.doing('warming up')
  const { data } = await other.next()
  expect(JSON.parse(data).parts.now).toContain('warming up')
  other.leave()
})

test('at the end a reader is sent to the report, gets it, and only then nobody answers any more', async () => {
  const report = join(folder, 'report.html')
  writeFileSync(report, '<h1>The report</h1>')
  const reader = await follow()
  await reader.next()
  const closing = live.close(report)
  expect((await reader.next()).event).toBe('report')
  expect((await ask('/')).text).toBe('<h1>The report</h1>')
  await closing
  await expect(ask('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a run without a report says only that it has ended', async () => {
  const reader = await follow()
  await reader.next()
  await live.close(null)
  expect((await reader.next()).event).toBe('end')
})
