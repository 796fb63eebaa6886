import { request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import type { Answer } from '../recording.ts'

/** Headers about the connection, not about the call. */
const hops = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade'])

/** Sends n8n's call on to the real service, and waits for the whole answer. */
export async function pass(asked: IncomingMessage, body: Buffer, url: string): Promise<Answer> {
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !hops.has(name)))
  const send = url.startsWith('https:') ? https : http
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without compression, so that a recording is readable.
    send(url, { method: asked.method, headers: { ...headers, 'accept-encoding': 'identity' } }, resolve)
      .on('error', reject)
      .end(body)
  })
  return { status: answer.statusCode!, headers: answer.headers, body: await bytesOf(answer) }
}

export async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
