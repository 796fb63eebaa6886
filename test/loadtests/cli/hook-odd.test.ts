import { connect } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { until } from '../../../loadtests/src/lib/await.ts'
import { random } from '../../support/random.ts'
import { says, startLab, type Lab } from '../../support/running-lab.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** The hook lives on: a rollout depends on its next answer, whatever callers send and checks print. */

const folder = temporaryFolder()
const configuration = {
  ...{ workflow: 'w', variant: 'v', cell: {}, chosen: true, answered: 'met', why: null, capacity: null, safe: null },
  ...{ limit: null, ratio: null, objective: null },
}
const question = { kind: 'rate', rate: 3 }
const answer = { question, answered: 'met', why: null, configurations: [configuration], missing: [], next: null }
const summary = JSON.stringify({ id: 'run', answer })
let lab: Lab
let port: number

/** Node runs this before the command: where the command is a check, it does `then` and nothing else. */
async function startHook(then: string): Promise<void> {
  const preload = join(folder, 'preload.cjs')
  writeFileSync(preload, `if (process.argv[2] === 'check') { ${then} }`)
  lab = startLab(join(folder, 'lab'), ['hook', '--listen', '127.0.0.1:0', '--', 'check'], ['--require', preload])
  await says(lab, 'Listening on ')
  port = Number(/http:\S+:(\d+)/.exec(lab.said.err)![1])
}

afterEach(async () => {
  lab.child.kill('SIGTERM')
  expect((await lab.ended).exit).toBe(143)
})

const ask = (signal?: AbortSignal) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', signal })

/** Sends bytes as they are, and resolves when the other side has closed or answered. */
const sent = (bytes: Buffer) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket
      .on('error', () => resolve())
      .on('close', () => resolve())
      .resume()
    socket.setTimeout(5000, () => socket.destroy())
  })

test('a thousand odd requests change nothing, and the next one is answered', async () => {
  await startHook(`process.stdout.write(${JSON.stringify(summary)}, () => process.exit(0))`)
  const next = random(1)
  const any = <One>(of: One[]): One => of[Math.floor(next() * of.length)]!
  const methods = ['GET', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'HEAD', 'TRACE', 'BREW', '\0', 'GET GET']
  const paths = ['/', '/healthz', '/../..', '*', 'http://a/', '//', `/${'a'.repeat(20_000)}`, '/%00', '/\u00e9']
  const headers = [
    ...['Host: a', 'Origin: null', 'Expect: much', 'Content-Length: -1', 'Transfer-Encoding: chunked', ': a', 'A'],
    ...['Upgrade: websocket\r\nConnection: upgrade', 'Authorization: Basic =', `X: ${'y'.repeat(20_000)}`],
  ]
  const odd = () =>
    next() < 0.2
      ? Buffer.from(Array.from({ length: 200 }, () => Math.floor(256 * next())))
      : Buffer.from(`${any(methods)} ${any(paths)} HTTP/1.1\r\n${any(headers)}\r\n${any(headers)}\r\n\r\n{"`)
  for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, () => sent(odd())))
  const last = await ask()
  expect({ status: last.status, told: await last.json() }).toMatchObject({ status: 200, told: { verdict: 'met' } })
}, 240_000)

test('what a check prints never ends it: an odd output is 500, and the next check is told', async () => {
  const odd = ['Usage: n8n-tuned check', '{', 'null', '[1]', '{"id":"a","results":[{}]}', '\u0000', '']
  const counter = join(folder, 'counter')
  writeFileSync(counter, '')
  await startHook(`
    const { appendFileSync, statSync } = require('node:fs')
    const nth = statSync(${JSON.stringify(counter)}).size
    appendFileSync(${JSON.stringify(counter)}, '.')
    const text = ${JSON.stringify([...odd, summary])}[nth]
    process.stdout.write(text, () => process.exit(0))`)
  const statuses = []
  for (let nth = 0; nth <= odd.length; nth++) statuses.push((await ask()).status)
  expect(statuses).toEqual([...odd.map(() => 500), 200])
}, 240_000)

test('a check that ignores SIGINT is ended, so that the next may ask', async () => {
  await startHook(`process.on('SIGINT', () => {}); process.stderr.write('Deaf\\n'); setInterval(() => {}, 1000)
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)`)
  const gone = new AbortController()
  const asked = ask(gone.signal).catch(() => null)
  await says(lab, 'Deaf')
  gone.abort()
  await asked
  const busy = async () => ((await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()) as { busy: boolean }).busy
  expect(await busy()).toBe(true)
  expect(await until(async () => !(await busy()), { timeout: 90_000, every: 500 })).toBe(true)
}, 180_000)
