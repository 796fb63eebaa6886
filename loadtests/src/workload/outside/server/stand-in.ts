import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Authority } from '../certificates.ts'
import { draw } from '../latency.ts'
import { ruleBook, type Asked } from '../rules.ts'
import { openTally } from '../tally.ts'
import { openMeter } from './meter.ts'
import { bytesOf } from './pass.ts'
import { openRecording } from './recorder.ts'
import { readyFor, refusalOf, respond, type Ready } from './respond.ts'
import { hostOf, openTunnels } from './tunnels.ts'
import type { Call, OutsideRule } from '../../../model/outside.ts'

export interface StandIn {
  rules: OutsideRule[]
  /** The file for recorded answers; null if the real services are not called. */
  record: string | null
}

/** A proxy that answers the calls itself. When asked directly, it reports the calls it got. */
export function standIn({ rules, record }: StandIn, authority: Authority, random: () => number = Math.random): Server {
  const find = ruleBook(rules)
  const answers = new Map(rules.map((rule) => [rule, readyFor(rule)]))
  const recording = record === null ? null : openRecording(record)
  const tally = openTally(random)
  const meter = openMeter()
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  const tunnels = openTunnels(server, authority)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now()
    const url = urlOf(request)
    if (!url)
      return respond(
        request,
        response,
        readyFor({ status: 200, headers: {}, body: { calls: tally.calls(), cpu: meter.read() } }),
      )
    const asked: Asked = { method: request.method!, host: url.host, path: url.path }
    const body = await bytesOf(request)
    const { outcome, ready } = await answerTo(asked, () => recording?.(asked, request, body, url.href))
    response.once('close', () => tally.add(asked, outcome, performance.now() - begun))
    respond(request, response, ready)
  }

  async function answerTo(
    asked: Asked,
    real: () => Promise<Ready> | undefined,
  ): Promise<{ outcome: Call['outcome']; ready: Ready }> {
    const rule = find(asked)
    if (rule) return { outcome: 'answered', ready: await delayed(rule, answers.get(rule)!, random) }
    const passed = await real()?.catch(() => undefined)
    return passed ? { outcome: 'passed', ready: passed } : { outcome: 'refused', ready: refusalOf(asked.host) }
  }

  /** The address that a call is meant for; null if it is meant for the stand-in itself. */
  function urlOf({ socket, url = '' }: IncomingMessage): { host: string; path: string; href: string } | null {
    const tunnel = tunnels.get(socket)
    if (tunnel)
      return {
        host: tunnel.host,
        path: pathOf(url),
        href: `${tunnel.secure ? 'https' : 'http'}://${tunnel.host}${url}`,
      }
    const [, scheme, host = '', rest = ''] = /^(https?):\/\/([^/?]*)(.*)$/.exec(url) ?? []
    if (!scheme) return null
    const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host.split('@').at(-1)!)!
    return { host: hostOf(name, port, scheme === 'https' ? '443' : '80'), path: pathOf(rest), href: url }
  }

  return server
}

const pathOf = (url: string) => url.split('?')[0] || '/'

async function delayed({ latency }: OutsideRule, ready: Ready, random: () => number): Promise<Ready> {
  const ms = draw(latency, random)
  if (ms > 0) await wait(ms)
  return ready
}
