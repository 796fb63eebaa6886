import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openRecording } from '../../../../loadtests/src/workload/outside/server/recorder.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()

test('of a service that repeats what it was sent, no header of the call is kept, whatever its name', async () => {
  const service = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ headers: request.headers, item: 'book' }))
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`
  const file = join(folder, 'recorded.yaml')
  const asked = { method: 'GET', host, path: '/orders' }
  const request = {
    method: 'GET',
    headers: { 'x-of-shop': 'sesame', accept: 'text/html' },
  } as unknown as IncomingMessage
  await openRecording(file)(asked, request, Buffer.alloc(0), `http://${host}/orders`)
  service.close()
  expect(readFileSync(file, 'utf8')).toContain('x-of-shop: REDACTED')
  expect(readFileSync(file, 'utf8')).toContain('item: book')
})
