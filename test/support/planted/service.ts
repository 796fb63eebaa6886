import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Secret } from './secrets.ts'

/** A service whose answers hold secrets in every form in which services give them, and repeat what they were sent. */
export async function secretiveService(secret: Secret): Promise<{ port: number; close(): void }> {
  const form = new URLSearchParams({
    access_token: secret('an answer’s form', 'word'),
    token_type: 'bearer',
  }).toString()
  const json = {
    access_token: secret('an answer’s token', 'word'),
    tokens: [secret('an answer’s list of tokens', 'word')],
    secret: { value: secret('an answer’s nested secret', 'word') },
    handle: secret('an answer’s long random text'),
    download: `https://files.example.com/a?X-Amz-Signature=${secret('an answer’s signed URL', 'word')}`,
    item: 'book',
  }
  const xml = `<answer><apiKey>${secret('an answer’s XML', 'word')}</apiKey><item>book</item></answer>`
  const headers = {
    'set-cookie': `session=${secret('an answer’s cookie')}`,
    'x-token': secret('an answer’s header'),
    link: `<https://files.example.com/b?sig=${secret('an answer’s link', 'word')}>; rel="next"`,
  }
  const server = createServer((request, response) => {
    const answers: Record<string, [type: string, text: string]> = {
      '/form': ['application/x-www-form-urlencoded', form],
      '/xml': ['application/xml', xml],
      '/json': ['application/json', JSON.stringify({ ...json, headers: request.headers })],
    }
    const [type, text] = answers[request.url!.split('?')[0]!] ?? ['text/plain', '']
    request.resume().on('end', () => response.writeHead(200, { ...headers, 'content-type': type }).end(text))
  })
  server.listen(0)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}
