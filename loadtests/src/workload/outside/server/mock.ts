import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { reasonOf } from '../../../lib/await.ts'
import { parseBody, type Asking } from '../answers/asking.ts'
import { openDirectory } from '../answers/directory.ts'
import type { Authority } from '../certificates.ts'
import { draw } from '../latency.ts'
import { ruleBook, type CallAsked } from '../rules.ts'
import { openCallTally } from '../tally.ts'
import { bytesOf, openRecording } from './recorder.ts'
import { notRecorded, readyByRule, readyToSend, refusalOf, respond, type Ready } from './respond.ts'
import { hostOf, openTunnels, type Tunnel } from './tunnels.ts'
import type { Call, OutsideOrder, OutsideRule } from '../../../model/outside.ts'

export interface MockServer extends Server {
  /** Counts a call that another server of the mock answered. */
  note(asked: CallAsked, ms: number): void
}

const hosts = new WeakMap<Server, WeakMap<object, Tunnel>>()

/** Answers a connection as that host would, though it came by no proxy. */
export function answeredAt(server: Server, socket: Socket, host: string): void {
  hosts.get(server)!.set(socket, { secure: false, host })
  server.emit('connection', socket)
}

/** A proxy that answers the calls itself. When asked directly, it reports the calls it got. */
export function mock(
  { rules, record, hints }: Omit<OutsideOrder, 'allow'>,
  authority: Authority,
  random: () => number = Math.random,
): MockServer {
  const find = ruleBook(rules)
  const answers = new Map(rules.map((rule) => [rule, readyByRule(rule)]))
  const recording = record === null ? null : openRecording(record)
  const directory = hints && openDirectory(hints)
  let counter = 0
  const tally = openCallTally(random)
  const meter = openMeter()
  // n8n sends forms with a length and in pieces, which a strict parser refuses.
  const server = createServer(
    { insecureHTTPParser: true },
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  // What follows the form then is no request. The answer to the form is still due.
  server.on('clientError', (_, socket) => {
    const due = answering.get(socket)
    if (due) due.once('finish', () => socket.destroy())
    else socket.destroy()
  })
  const answering = new WeakMap<object, ServerResponse>()
  const tunnels = openTunnels(server, authority)
  hosts.set(server, tunnels)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now()
    answering.set(request.socket, response)
    response.once('close', () => answering.delete(request.socket))
    const url = urlOf(request)
    if (!url) {
      const body =
        request.url === '/authority.pem' ? authority.certificate : { calls: tally.calls(), cpu: meter.read() }
      return respond(request, response, readyByRule({ status: 200, headers: {}, body }))
    }
    const asked: CallAsked = { method: request.method!, host: url.host, path: url.path }
    const body = await bytesOf(request)
    const asking: Asking = {
      ...asked,
      query: url.query,
      headers: request.headers,
      raw: body,
      body: parseBody(body, request.headers['content-type']),
      counter: ++counter,
    }
    const { outcome, ready } = await answerTo(asking, () => recording?.(asked, request, body, url.href))
    response.once('close', () => tally.add(asked, outcome, performance.now() - begun))
    respond(request, response, ready)
  }

  async function answerTo(
    asked: Asking,
    real: () => Promise<Ready> | undefined,
  ): Promise<{ outcome: Call['outcome']; ready: Ready }> {
    const rule = find(asked)
    if (rule && directory && saysOnlyHowLong(rule)) {
      const { outcome, answer } = directory(asked)
      return { outcome, ready: await delayed(rule, readyToSend(answer), random) }
    }
    if (rule)
      return { outcome: rule.guessed ? 'guessed' : 'answered', ready: await delayed(rule, answers.get(rule)!, random) }
    try {
      const passed = await real()
      if (passed) return { outcome: 'passed', ready: passed }
    } catch (error) {
      return { outcome: 'refused', ready: notRecorded(asked.host, reasonOf(error)) }
    }
    if (!directory || record !== null) return { outcome: 'refused', ready: refusalOf(asked.host) }
    const { outcome, answer, latency } = directory(asked)
    return { outcome, ready: await delayed({ latency }, readyToSend(answer), random) }
  }

  /** The address that a call is meant for; null if it is meant for the mock itself. */
  function urlOf({ socket, url = '' }: IncomingMessage): Address | null {
    const tunnel = tunnels.get(socket)
    if (tunnel)
      return {
        host: tunnel.host,
        path: pathOf(url),
        query: queryOf(url),
        href: `${tunnel.secure ? 'https' : 'http'}://${tunnel.host}${url}`,
      }
    const [, scheme, host = '', rest = ''] = /^(https?):\/\/([^/?]*)(.*)$/.exec(url) ?? []
    if (!scheme) return null
    const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host.split('@').at(-1)!)!
    return {
      host: hostOf(name, port, scheme === 'https' ? '443' : '80'),
      path: pathOf(rest),
      query: queryOf(rest),
      href: url,
    }
  }

  return Object.assign(server, { note: (asked: CallAsked, ms: number) => tally.add(asked, 'answered', ms) })
}

interface Address {
  host: string
  path: string
  query: URLSearchParams
  href: string
}

/** The answer is that of the service, after this time. */
const saysOnlyHowLong = ({ status, headers, body, base64, latency }: OutsideRule) =>
  latency.p95 > 0 && status === undefined && body === undefined && base64 === undefined && !Object.keys(headers).length

const pathOf = (url: string) => url.split('?')[0] || '/'
const queryOf = (url: string) => new URLSearchParams(url.split('?').slice(1).join('?'))

async function delayed({ latency }: Pick<OutsideRule, 'latency'>, ready: Ready, random: () => number): Promise<Ready> {
  const ms = draw(latency, random)
  if (ms > 0) await wait(ms)
  return ready
}

/** CPU time of this process: its sum in seconds, and the busiest second in cores. */
interface Cpu {
  seconds: number
  peak: number
}

function openMeter(): { read(): Cpu } {
  let peak = 0
  let before = { at: performance.now(), used: used() }
  setInterval(() => {
    const now = { at: performance.now(), used: used() }
    peak = Math.max(peak, ((now.used - before.used) * 1000) / (now.at - before.at))
    before = now
  }, 1000).unref()
  return { read: () => ({ seconds: used(), peak }) }
}

function used(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
