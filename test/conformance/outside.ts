import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Answers the calls of workflows: an echo, failures, pictures, and a language model that always says the same. */
export interface Outside {
  url: string
  /** What was asked for, in order. */
  requests: { method: string; path: string; body: string }[]
  close(): Promise<void>
}

interface Reply {
  status?: number
  type?: string
  body: string | Buffer
}

export async function startOutside(): Promise<Outside> {
  const requests: Outside['requests'] = []
  const server = createServer(async (request, response) => {
    const asked = { method: request.method!, path: request.url!, body: (await buffer(request)).toString() }
    requests.push(asked)
    const { status = 200, type = 'application/json', body } = answer(asked, requests, request)
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(asked: Outside['requests'][number], all: Outside['requests'], { headers }: IncomingMessage): Reply {
  const { path, body, method } = asked
  if (path.startsWith('/status/')) return { status: Number(path.split('/')[2]), body: '{"says":"no"}' }
  // Works from the third request for it on.
  if (path.startsWith('/third/'))
    return { status: all.filter((one) => one.path === path).length < 3 ? 500 : 200, body: '{"says":"at last"}' }
  if (path === '/picture.png')
    return { type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]) }
  if (path.endsWith('/chat/completions')) return { body: JSON.stringify(completion(JSON.parse(body))) }
  if (path.endsWith('/models'))
    return { body: JSON.stringify({ object: 'list', data: [{ id: 'mock', object: 'model' }] }) }
  return { body: JSON.stringify({ method, path, body, type: headers['content-type'] ?? null }) }
}

/** Asks for the first tool once, where there is one, then answers. */
function completion({ tools, messages }: { tools?: { function: { name: string } }[]; messages: { role: string }[] }) {
  const tool = messages.some(({ role }) => role === 'tool') ? undefined : tools?.[0]?.function.name
  const call = { id: 'call-1', type: 'function', function: { name: tool, arguments: '{"input":"six by seven"}' } }
  const message = tool
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: 'Forty-two.' }
  return {
    id: 'completion-1',
    object: 'chat.completion',
    created: 1700000000,
    model: 'mock',
    choices: [{ index: 0, message, finish_reason: tool ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}
