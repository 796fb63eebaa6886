import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/command.ts'
import { inProcess } from '../../support/in-process.ts'
import { says, startLab, type Lab } from '../../support/running-lab.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { validatorOf } from '../fixtures/schema.ts'

/** The webhook that Flagger asks, before a service that stands for the canary. */

const folder = temporaryFolder()
const isAnswer = validatorOf('hook')
const token = 'a-token-of-this-test-alone'
const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, `${token}\n`)

/** What Flagger sends before it routes traffic to a canary. */
const flagger = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    name: 'n8n',
    namespace: 'n8n',
    phase: 'Progressing',
    checksum: '1',
    metadata: { any: 'text' },
  }),
}
const withToken = { ...flagger, headers: { ...flagger.headers, authorization: `Bearer ${token}` } }

let canary: Service
let lab: Lab
let url: string
const told: string[] = []

async function startHook(answer: (request: number) => Answer, options: string[] = []): Promise<void> {
  canary = await startService(answer)
  const check = [
    ...['check', '--target', canary.url, '--workflow', join(root, 'workflows/ping-webhook.json'), '--yes'],
    ...['--rate', '8', '--quick', '--repeat', '1'],
  ]
  lab = startLab(join(folder, 'lab'), ['hook', '--listen', '127.0.0.1:0', ...options, '--', ...check])
  await says(lab, 'Listening on ')
  url = /http:\S+\d/.exec(lab.said.err)![0]
}

afterEach(async () => {
  lab.child.kill('SIGTERM')
  expect((await lab.ended).exit).toBe(143)
  // Each check keeps its run among those of the clone.
  const said = `${lab.said.err} ${told.join(' ')}`
  for (const [run] of said.matchAll(/\d[\dT-]+-check/g))
    rmSync(join(root, 'results', run), { recursive: true, force: true })
  await canary.close()
})

const ask = async (request: RequestInit) => {
  const response = await fetch(url, request)
  const text = await response.text()
  told.push(text)
  isAnswer(JSON.parse(text))
  expect(isAnswer.errors).toBeNull()
  return { status: response.status, told: JSON.parse(text) as Record<string, unknown> }
}

test('200 where the canary holds, and one check at a time', async () => {
  await startHook(() => ({}))
  const first = ask(flagger)
  await says(lab, 'This run reaches')
  expect(await ask(flagger)).toMatchObject({ status: 409, told: { error: expect.stringContaining('Ask again') } })
  expect(await first).toEqual({
    status: 200,
    told: {
      ...{ holds: true, verdict: 'met', exitCode: 0, run: expect.any(String), why: null, next: null },
      results: [
        {
          ...{ workflow: 'ping-webhook', variant: expect.any(String), answered: 'met', why: null, safe: null },
          capacity: { rate: 8, low: null, high: null, basis: 'steps' },
        },
      ],
    },
  })
}, 240_000)

test('412 and the reason where it does not', async () => {
  // It answers what tries it, and then nothing right.
  await startHook((request) => ({ status: request < 4 ? 200 : 500 }))
  expect(await ask(flagger)).toMatchObject({
    status: 412,
    told: { holds: false, verdict: 'missed', exitCode: 3, results: [{ why: 'stopped-by-errors' }] },
  })
}, 240_000)

test('500 and the message where nothing could be measured, and the next may ask', async () => {
  await startHook(() => ({ status: 404 }))
  const failed = { status: 500, told: { holds: false, verdict: 'failed', exitCode: 2 } }
  expect(await ask(flagger)).toMatchObject(failed)
  const { told } = await ask(flagger)
  expect(told.error).toMatch(/got: 404\. Fix: Import the workflow there/)
}, 240_000)

test('a check whose caller went away ends, and loads no more', async () => {
  await startHook(() => ({}))
  const gone = new AbortController()
  const asked = ask({ ...flagger, signal: gone.signal })
  await says(lab, 'This run reaches')
  gone.abort()
  await expect(asked).rejects.toThrow('aborted')
  await says(lab, 'Interrupted')
}, 240_000)

test('the token comes as a bearer, or in the URL as Flagger sends it; others begin nothing', async () => {
  await startHook(() => ({ status: 404 }), ['--token-file', tokenFile])
  const withPassword = { authorization: `Basic ${Buffer.from(`flagger:${token}`).toString('base64')}` }
  const browser = { ...withToken.headers, origin: 'https://a' }
  const statuses = []
  for (const headers of [{}, { authorization: 'Bearer another-token-here' }, browser])
    statuses.push((await ask({ method: 'POST', headers })).status)
  statuses.push((await ask({ headers: withToken.headers })).status)
  expect(statuses).toEqual([401, 401, 403, 405])
  expect(canary.requests).toEqual([])
  // Both begin a check, which finds no such webhook.
  expect((await ask(withToken)).status).toBe(500)
  expect((await ask({ ...flagger, headers: withPassword })).status).toBe(500)
  expect(lab.said.err).not.toContain(token)
}, 240_000)

test('a probe asks whether it listens', async () => {
  await startHook(() => ({}))
  const response = await fetch(`${url}/healthz`)
  expect({ status: response.status, told: await response.json() }).toEqual({ status: 200, told: { busy: false } })
})

describe('refused before it listens', () => {
  test.each([
    [['--listen', '0.0.0.0:0'], 'Expected --token-file beside --listen 0.0.0.0:0: whoever reaches that address'],
    [['--listen', 'here'], 'Expected a host and a port, got here.'],
    [['--token-file', join(folder, 'none')], 'Expected to read '],
  ])('%s', async (options, message) => {
    const { exit, err } = await inProcess('hook', ...options, '--', 'check')
    expect(exit).toBe(2)
    expect(err).toContain(message)
  })

  test.each([
    [['report', 'x'], 'Expected check or compare after --, got report.'],
    [['check', '--out', 'x'], 'Expected options that each check can have, got --out.'],
    [['check', '-h'], 'Expected a check that measures, got -h.'],
    [['check', '--dry-run'], 'Expected a check that measures, got --dry-run.'],
    [['compare', '--version'], 'Expected a check that measures, got --version.'],
  ])('%s', async (words, message) => {
    expect(await inProcess('hook', '--', ...words)).toMatchObject({ exit: 2, err: expect.stringContaining(message) })
  })
})
