import { describe, expect, it } from '@jest/globals'
import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import type { Catalog } from '../../../../loadtests/src/n8n/catalog.ts'
import { findWorkflow } from '../../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { own, webhook } from '../../fixtures/own-workflows.ts'

/** An n8n that has the Webhook and the Code node, and the Set node in the versions 1 to 3. */
const catalog: Catalog = {
  version: '2.41.1',
  node: (type) =>
    /\.(webhook|set|code|httpRequest)$/.test(type)
      ? { name: type, displayName: type, version: [1, 2, 3], properties: [] }
      : null,
  newestInsteadOf: (type, version = 1) => (type.endsWith('.set') && version > 3 ? 3 : null),
  credential: () => null,
  extends: () => false,
  parametersOf: ({ parameters = {} }) => parameters,
  credentialsAskedBy: () => [],
  emptyOf: () => [],
  refusalOf: () => null,
}

const found = async (node: object, { values = {} as object, to = 'Edit', strict = false } = {}) => {
  const edit = { name: 'Edit', type: 'n8n-nodes-base.set', parameters: {}, ...node }
  const connections = { Webhook: { main: [[{ node: to, type: 'main', index: 0 }]] } }
  const file = await own({ name: 'Orders', nodes: [webhook, edit], connections })
  return findWorkflow(file, { file, line: null }, { catalog, values, strict })
}

describe('what the file alone shows is refused before n8n starts, where that is asked', () => {
  it.each<[string, object, RegExp]>([
    ['a node that n8n does not have', { type: 'n8n-nodes-base.gone' }, /"Edit" of "Orders" is of the type .*gone/],
    ['a version that it does not have', { typeVersion: 4 }, /is version 4 of .*set, and n8n 2\.41\.1 has it up to 3/],
    [
      'code',
      { type: 'n8n-nodes-base.code', parameters: { jsCode: 'return [{' } },
      /"Edit" of "Orders" is no JavaScript: Un/,
    ],
  ])('%s', async (_, node, message) => {
    const refusal = await refusalOf(async () => found(node, { strict: true }))
    expect(refusal).toMatchObject({ exit: exitCodes.usage, message: expect.stringMatching(message) })
  })

  it('and not a community node: a call to a mock takes its place, and that is said', async () => {
    const { imports, made } = await found({ type: 'n8n-nodes-shop.shop' })
    const [, edit] = imports.at(-1)!.nodes
    expect(edit).toMatchObject({
      type: 'n8n-nodes-base.httpRequest',
      parameters: { url: 'https://shop.mock.test/edit' },
    })
    expect(made!.said.join(' ')).toMatch(/n8n-nodes-shop, which this n8n does not have.*communityNodes\.packages/)
  })

  it('and not $env: it has a made value, and that is said', async () => {
    const { imports, made } = await found({ parameters: { url: '={{ $env.API_URL }}' } })
    expect(imports.at(-1)!.nodes[1]!.parameters).toEqual({ url: '={{ "https://www.example.com/page" }}' })
    expect(made!.said.join(' ')).toMatch(/\$env\.API_URL.*n8n forbids \$env since 2\.0/)
  })

  it('a connection to nowhere', async () => {
    const refusal = await refusalOf(async () => found({}, { to: 'Gone', strict: true }))
    expect(refusal).toMatchObject({ code: 'bad-workflow', message: expect.stringContaining('it has no node "Gone"') })
  })

  it('and else left out, or bridged, and that is said', async () => {
    const loose = await found({}, { to: 'Gone' })
    expect(loose.imports.at(-1)!.connections).toEqual({ Webhook: { main: [[]] } })
    expect(loose.made!.said.join(' ')).toContain('connections of "Gone", since the file has no such node')
    const gone = await found({ type: 'n8n-nodes-base.gone' })
    expect(gone.imports.at(-1)!.nodes[1]!.type).toBe('n8n-nodes-base.httpRequest')
    expect(gone.made!.bridged).toMatchObject([
      { node: 'Edit', said: 'This n8n has no type n8n-nodes-base.gone.', remedy: { code: 'release' } },
    ])
    const newer = await found({ typeVersion: 4 })
    expect(newer.imports.at(-1)!.nodes[1]!.typeVersion).toBe(3)
    expect(newer.made!.said.join(' ')).toContain('version 3 takes the place of version 4')
  })

  it('and not code that is JavaScript', async () => {
    const code = 'const { a } = $json\nreturn await Promise.resolve([{ json: { a } }])'
    expect((await found({ type: 'n8n-nodes-base.code', parameters: { jsCode: code } })).name).toBe('orders')
  })

  it.each([
    [
      '$env',
      { parameters: { url: '={{ $env.A }}' } },
      { role: { extraEnv: { N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false' } } },
    ],
    ['a package', { type: 'n8n-nodes-shop.shop' }, { communityNodes: { packages: ['n8n-nodes-shop@1.0.0'] } }],
    ['an image', { type: 'n8n-nodes-shop.shop' }, { image: { repository: 'ours/n8n' } }],
  ])('unless the values allow it: %s', async (_, node, values) => {
    expect((await found(node, { values })).name).toBe('orders')
  })
})
