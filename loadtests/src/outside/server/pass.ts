import { request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import type { Answer } from '../recording.ts'

/** About the connection that a call came by, and not about the call. */
const hops = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade'])

/** Asks the real service what n8n asked, and waits for the whole answer. */
export async function pass(asked: IncomingMessage, body: Buffer, url: string): Promise<Answer> {
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !hops.has(name)))
  const send = url.startsWith('https:') ? https : http
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Uncompressed, so that what is recorded can be read.
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
