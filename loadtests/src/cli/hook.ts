import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { usage, type ExitCode, problemOf } from '../lib/errors.ts'
import { typed } from '../lib/paths.ts'
import { withoutSecretArguments } from '../secret/arguments.ts'
import { answerTo, type HookAnswer, type Told } from './hook-answer.ts'
import { onInterrupt } from './interrupt.ts'

interface HookOptions {
  listen: string
  tokenFile?: string
}

export function addHook(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('hook')
    .summary('answer Flagger or Argo Rollouts by a check')
    .description(
      'Listens for POST requests, and answers each by a check: 200 where the objective is met, otherwise 412, 503 or '
        + '500, with the verdict as JSON. There is one check at a time, always the same: the request cannot change it. '
        + 'If the caller goes away, its check ends.',
    )
    .argument('<command...>', 'what runs: check or compare, with its options')
    .option('--listen <host:port>', 'where to listen', '127.0.0.1:8790')
    .option('--token-file <file>', 'what callers have to send: as bearer token, or as the password in the URL')
    .addHelpText(
      'after',
      '\nExample:\n  ./n8n-tuned hook -- check --target http://n8n-canary:5678 --workflow exported.json --rate 5 --yes',
    )
    .action(async (words: string[], options: HookOptions) => {
      refuseOtherThanChecks(words)
      end(await serve(words, addressOf(options), tokenIn(options)))
    })
}

function refuseOtherThanChecks(words: string[]): void {
  if (!['check', 'compare'].includes(words[0]!))
    throw usage(
      'not-a-check',
      `Expected check or compare after --, got ${words[0]!}.`,
      `${typed.lab} hook -- check --rate 5`,
    )
  const single = words.find((word) => /^(--(out|resume|live|json)\b)/.test(word))
  if (single)
    throw usage('only-once', `Expected options that each check can have, got ${single}.`, `Leave ${single} out.`)
  const idle = words.find((word) => /^(--(help|version|dry-run)\b|-[hV])/.test(word))
  if (idle) throw usage('measures-nothing', `Expected a check that measures, got ${idle}.`, `Leave ${idle} out.`)
}

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|::1)$/.test(host)

function addressOf({ listen, tokenFile }: HookOptions): { host: string; port: number } {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(listen) ?? []
  if (!host || Number(port) > 65_535)
    throw usage('bad-address', `Expected a host and a port, got ${listen}.`, '--listen 127.0.0.1:8790')
  if (!isLoopback(host) && tokenFile === undefined)
    throw usage(
      'no-token',
      `Expected --token-file beside --listen ${listen}: whoever reaches that address can begin a load.`,
      'Write a token into a file (openssl rand -hex 32 >token), and name it with --token-file.',
    )
  return { host, port: Number(port) }
}

function tokenIn({ tokenFile }: HookOptions): string | null {
  if (tokenFile === undefined) return null
  let token: string
  try {
    token = readFileSync(tokenFile, 'utf8').trim()
  } catch (error) {
    throw usage('no-token', `Expected to read ${tokenFile}: ${(error as Error).message}`, 'Name a file that is there.')
  }
  if (token.length < 16)
    throw usage(
      'short-token',
      `Expected a token of 16 characters or more in ${tokenFile}, got ${token.length}.`,
      'openssl rand -hex 32 >token',
    )
  return token
}

async function serve(
  words: string[],
  { host, port }: { host: string; port: number },
  token: string | null,
): Promise<ExitCode> {
  let running: ChildProcess | null = null
  const stopping = onInterrupt(
    () => {},
    (exit) => {
      if (running) endGroup(running)
      process.exit(exit)
    },
  )
  const server = createServer((request, response) => {
    request.resume()
    for (const stream of [request, response]) stream.on('error', () => {})
    const refused = refusal(request, token, running !== null)
    if (refused) return tell(response, ...refused)
    running = begin(words)
    const asked = running
    // Nobody waits for the answer any more.
    response.on('close', () => response.writableFinished || interrupt(asked))
    void ended(asked)
      .finally(() => (running = null))
      .then(({ status, body }) => tell(response, status, body))
  })
  await listen(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  process.stderr.write(
    `Listening on http://${shown}:${taken}. Each POST runs: ${withoutSecretArguments(words).join(' ')}\n`,
  )
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  server.close()
  const last = running as ChildProcess | null
  if (last) {
    interrupt(last)
    await once(last, 'close')
  }
  server.closeAllConnections()
  stopping.release()
  const { reason } = stopping.signal as { reason: Error }
  if (reason.name !== 'AbortError') throw reason
  return stopping.exit()
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw usage(
      'cannot-listen',
      `Expected to listen on ${host}:${port}, got ${problemOf(error)}.`,
      'Name another address with --listen.',
    )
  }
}

/** For probes. */
interface Health {
  busy: boolean
}

/** Why a request begins no check; null where it does. */
function refusal(request: IncomingMessage, token: string | null, busy: boolean): [number, HookAnswer | Health] | null {
  const { method, url, headers } = request
  if (method === 'GET' && url === '/healthz') return [200, { busy }]
  // A page in somebody's browser, which reaches loopback too.
  if (headers.origin !== undefined) return [403, { error: 'Expected a program, got a browser.' }]
  if (token !== null && !hasToken(headers.authorization, token))
    return [401, { error: 'Expected the token of --token-file, as bearer token or as password.' }]
  if (method !== 'POST') return [405, { error: `Expected POST, got ${method}.` }]
  return busy ? [409, { error: 'Expected no other check at the same time, and one is under way. Ask again.' }] : null
}

function hasToken(authorization = '', token: string): boolean {
  const [, kind, given] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? []
  if (!kind || !given) return false
  // Flagger sends no headers of one's own. But a URL may have a user and a password.
  const said =
    kind.toLowerCase() === 'basic'
      ? Buffer.from(given, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : given
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(said), digest(token))
}

/** A process and a group of its own: a signal to this one is not one to the other. */
const begin = (words: string[]): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words, '--json'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Characters of a summary, and of what goes to the terminal, that are kept of one check. */
const kept = { out: 64 * 2 ** 20, err: 2 ** 16 }

async function ended(check: ChildProcess): Promise<{ status: number; body: Told }> {
  let [out, err] = ['', '']
  check.stdout!.setEncoding('utf8').on('data', (text: string) => {
    if (out.length < kept.out) out += text
  })
  check.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-kept.err)
    process.stderr.write(text)
  })
  try {
    const [code] = (await once(check, 'close')) as [number | null]
    return answerTo(code, out, err)
  } catch (error) {
    // It did not even begin.
    return answerTo(null, '', (error as Error).message)
  }
}

/** Milliseconds in which a check has to take everything down. */
const takesDown = 60_000

/** Asks a check to end. One that does not is ended, with all that it started. */
function interrupt(check: ChildProcess): void {
  check.kill('SIGINT')
  const patience = setTimeout(() => endGroup(check), takesDown)
  check.once('close', () => clearTimeout(patience))
}

/** Of its group, since it may have left what it started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself in this moment.
  }
}

function tell(response: ServerResponse, status: number, body: HookAnswer | Health): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}
