import type { Asking } from '../../../loadtests/src/workload/outside/answers/asking.ts'

/** A call that n8n makes, as the mock reads it. */
export function askingOf(call: string, body: unknown = {}, headers: Asking['headers'] = {}): Asking {
  const [method = '', address = ''] = call.split(' ')
  const { host, pathname, searchParams } = new URL(address, 'https://service.example')
  return { method, host, path: pathname, query: searchParams, headers, body, raw: Buffer.alloc(0), counter: 7 }
}
