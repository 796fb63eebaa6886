import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { findWorkflow } from '../../../../loadtests/src/workload/open.ts'
import { own, webhook } from '../../fixtures/own-workflows.ts'

const crypto = (typeVersion: number, parameters: object, credentials?: object) => ({
  name: 'Hmac',
  type: 'n8n-nodes-base.crypto',
  typeVersion,
  parameters: { action: 'hmac', dataPropertyName: 'hash', ...parameters },
  ...(credentials && { credentials }),
})
const compare = (header: string, value = '={{ $json.hash }}') => ({
  name: 'Check',
  type: 'n8n-nodes-base.if',
  typeVersion: 2,
  parameters: {
    conditions: {
      conditions: [
        {
          leftValue: `={{ $json.headers['${header}'] }}`,
          rightValue: value,
          operator: { type: 'string', operation: 'equals' },
        },
      ],
    },
  },
})
const code = (jsCode: string) => ({
  name: 'Verify',
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: { jsCode },
})
const posting = { ...webhook, parameters: { ...webhook.parameters, httpMethod: 'POST' } }

const probed = async (
  nodes: { name: string }[],
  { request = { body: { id: 7 } }, credentials = [] as object[] } = {},
) => {
  const names = [posting.name, ...nodes.map(({ name }) => name)]
  const connections = Object.fromEntries(
    names.slice(1).map((name, index) => [names[index]!, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  )
  const file = await own({ nodes: [posting, ...nodes], connections })
  const { webhook: probe, warnings } = await findWorkflow(
    file,
    { file, line: null },
    { request, credentials: credentials as never },
  )
  return { headers: probe.headers, body: Buffer.from(probe.body ?? []).toString(), warnings: warnings.join('\n') }
}
const hmac = (hash: string, secret: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(hash, secret).update(text).digest(encoding)

describe('a request to a workflow that checks its signature is signed', () => {
  it('with the secret that the Crypto node has, as it writes it', async () => {
    const { headers, body } = await probed([
      crypto(1, { type: 'SHA1', encoding: 'base64', secret: 's', value: '={{ JSON.stringify($json.body) }}' }),
      compare('x-signature'),
    ])
    expect(headers['x-signature']).toBe(hmac('sha1', 's', body, 'base64'))
  })

  it('with that of the credential which the node names, and the prefix that it expects', async () => {
    const { headers, body } = await probed(
      [
        crypto(2, { type: 'SHA256', value: '={{ $json.body.toJsonString() }}' }, { crypto: { id: 'c', name: 'x' } }),
        compare('x-hub-signature-256', '=sha256={{ $json.hash }}'),
      ],
      { credentials: [{ id: 'c', name: 'x', type: 'crypto', data: { hmacSecret: 'given' } }] },
    )
    expect(headers['x-hub-signature-256']).toBe(`sha256=${hmac('sha256', 'given', body)}`)
  })

  it('as Slack does, with the time', async () => {
    const { headers, body } = await probed([
      code(`const { headers, body } = $input.first().json
        const base = \`v0:\${headers['x-slack-request-timestamp']}:\${JSON.stringify(body)}\`
        const mine = 'v0=' + require('crypto').createHmac('sha256', 'known').update(base).digest('hex')
        if (mine !== headers['x-slack-signature']) throw new Error('no')
        return []`),
    ])
    const time = headers['x-slack-request-timestamp']!
    expect(headers['x-slack-signature']).toBe(`v0=${hmac('sha256', 'known', `v0:${time}:${body}`)}`)
  })

  it('unless the request brings its own', async () => {
    const { headers } = await probed(
      [crypto(1, { secret: 's', value: '={{ JSON.stringify($json.body) }}' }), compare('x-signature')],
      { request: { body: { id: 7 }, headers: { 'X-Signature': 'mine' } } as never },
    )
    expect(headers['x-signature']).toBe('mine')
  })
})

describe('it is said that no signature fits', () => {
  it('where the secret is not known: how to give it', async () => {
    const nodes = [
      code(`const { headers, body } = $input.first().json
        const mine = require('crypto').createHmac('sha256', $env.SECRET).update(JSON.stringify(body)).digest('hex')
        if (mine !== headers['x-signature']) throw new Error('no')
        return []`),
    ]
    const unknown = await probed(nodes)
    expect(unknown.headers['x-signature']).toBeUndefined()
    expect(unknown.warnings).toMatch(/"Verify" computes a signature.*--credentials FILE.*hmacSecret/)
    const given = await probed(nodes, {
      credentials: [{ id: 'c', name: 'x', type: 'crypto', data: { hmacSecret: 'given' } }],
    })
    expect(given.headers['x-signature']).toBe(hmac('sha256', 'given', given.body))
  })

  it('where a part of the body is signed', async () => {
    const { headers, warnings } = await probed([
      crypto(1, { secret: 's', value: '={{ $json.body.id }}' }),
      compare('x-signature'),
    ])
    expect(headers['x-signature']).toBeUndefined()
    expect(warnings).toMatch(/"Hmac" computes a signature.*--request FILE/)
  })
})
