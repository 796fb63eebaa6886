import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { commandWith } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { validatorOf } from '../fixtures/schema.ts'

const folder = temporaryFolder()

/** The command as it is typed, against a server that lists what n8n's public API would. */
test('less than an hour of executions is unsure, with exit code 4, and profile and JSON say so', async () => {
  const now = Date.now()
  const webhook = { type: 'n8n-nodes-base.webhook', parameters: { path: 'orders' } }
  const execution = (id: number) => ({
    id,
    workflowId: 'a',
    mode: 'webhook',
    status: 'success',
    startedAt: new Date(now - 10_000 * (10 - id)).toISOString(),
    stoppedAt: null,
  })
  const lists: Record<string, object[]> = {
    workflows: [{ id: 'a', name: 'Orders', nodes: [webhook], connections: {} }],
    executions: Array.from({ length: 10 }, (_, index) => execution(10 - index)),
  }
  const server = createServer(({ url }, response) => {
    const data = lists[new URL(url!, 'http://n8n').pathname.split('/').at(-1)!]
    response.end(JSON.stringify({ data, nextCursor: null }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = join(folder, 'learned.yaml')
  const words = ['--from', from, '--out', out, '--yes', '--json']
  const { exit, err, out: said } = await commandWith({ N8N_API_KEY: 'key' }, 'learn', ...words)
  server.close().closeAllConnections()
  expect(readFileSync(out, 'utf8')).toContain('the busiest minute of the 90 seconds that its executions cover')
  expect(err).toContain('too little to be sure of the busiest minute')
  expect(exit).toBe(exitCodes.invalid)
  const document = JSON.parse(said)
  const validate = validatorOf('learn')
  validate(document)
  expect(validate.errors).toBeNull()
  expect(document).toMatchObject({ files: [out, join(folder, 'learned/a.json')], unsure: true, failure: null })
})
