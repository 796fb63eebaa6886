import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { findWorkflow, findWorkflows } from '../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../support/refusal.ts'
import { write } from '../../support/temporary.ts'
import { folder, find, own, webhook } from '../fixtures/own-workflows.ts'

describe('n8n exports workflows', () => {
  const orders = { id: 'w1', name: 'Orders (new)', nodes: [webhook] }
  const refunds = { id: 'w2', name: 'Refunds', nodes: [{ ...webhook, parameters: { path: 'refunds' } }] }
  const names = async (name: string) =>
    (await findWorkflows(name, { file: '', line: null })).map((workflow) => workflow.name)

  test('as a list: each that callers reach or that starts by itself is loaded, by its own name', async () => {
    expect(
      await names(
        await own([
          orders,
          refunds,
          { id: 'w3', name: 'Nightly', nodes: [{ name: 'Cron', type: 'n8n-nodes-base.cron' }] },
        ]),
      ),
    ).toEqual(['orders-new', 'refunds', 'nightly'])
  })

  test('as a folder with one a file', async () => {
    await write(folder, 'exports/a.json', orders)
    await write(folder, 'exports/b.json', refunds)
    expect(await names(`${folder}/exports`)).toEqual(['orders-new', 'refunds'])
  })

  test.each(['Refunds', 'refunds', 'w2'])('of which one is named behind a #: %s', async (name) => {
    expect(await find(`${await own([orders, refunds])}#${name}`)).toMatchObject({ name: 'refunds', id: 'w2' })
  })

  test('and one that is not among them is refused, with those that are', async () => {
    const refusal = await refusalOf(async () => find(`${await own([orders, refunds])}#Returns`))
    expect(refusal).toMatchObject({
      code: 'no-such-workflow',
      exit: exitCodes.usage,
      message: expect.stringContaining('got Orders (new), Refunds.'),
    })
  })

  test('with names that are the same twice, told apart by their ids', async () => {
    expect(await names(await own([orders, { ...refunds, name: orders.name }]))).toEqual([
      'orders-new-w1',
      'orders-new-w2',
    ])
  })

  test('without an id: it has the same one whenever it is read', async () => {
    const ids = [
      await find(await own({ ...orders, id: undefined })),
      await find(await own({ ...orders, id: undefined })),
    ].map(({ id }) => id)
    expect(ids[0]).toMatch(/^\d{9}$/)
    expect(ids[1]).toBe(ids[0])
  })

  test('with what belongs to the n8n they came from, which is not imported', async () => {
    const { imports } = await find(
      await own({
        ...orders,
        active: true,
        shared: [{ projectId: 'p' }],
        activeVersionId: 'v',
        tags: [{ id: 't' }],
        pinData: {},
      }),
    )
    expect(Object.keys(imports[0]!)).toEqual(['id', 'name', 'active', 'nodes', 'connections', 'settings', 'staticData'])
    expect(imports[0]).toMatchObject({ active: false, name: 'Orders (new)' })
  })

  test('in the form of a scenario of its own benchmark', async () => {
    await write(folder, 'scenario/single.json', { name: 'Single Webhook', nodes: [webhook] })
    const manifest = await write(folder, 'scenario/single.manifest.json', {
      name: 'SingleWebhook',
      scenarioData: { workflowFiles: ['single.json'] },
      scriptPath: 'single.script.js',
    })
    expect(await find(manifest)).toMatchObject({ name: 'single', webhook: { path: '/webhook/orders' } })
  })
})

describe('a Webhook node', () => {
  const calls = async (parameters: object, more: object = {}) =>
    (await find(await own({ id: 'w1', nodes: [{ ...webhook, ...more, parameters }] }))).webhook

  test('without a path is called by its id', async () => {
    expect(await calls({ path: '' }, { webhookId: 'abc' })).toMatchObject({ path: '/webhook/abc' })
  })

  test('without path and id gets an id, with which it is imported', async () => {
    const {
      webhook: { path },
      imports,
    } = await find(await own({ id: 'w1', nodes: [{ ...webhook, parameters: {} }] }))
    expect(path).toMatch(/^\/webhook\/[0-9a-f-]{36}$/)
    expect(imports[0]!.nodes[0]).toMatchObject({ webhookId: path.slice('/webhook/'.length) })
  })

  test('of several methods is called by the first, and by one that takes a body where there is one', async () => {
    const file = await own({
      id: 'w1',
      nodes: [{ ...webhook, parameters: { path: 'orders', multipleMethods: true, httpMethod: ['GET', 'PUT'] } }],
    })
    expect((await find(file)).webhook.method).toBe('GET')
    expect(
      (await findWorkflow(file, { file: '', line: null }, { request: { body: { order: 1 } } })).webhook.method,
    ).toBe('PUT')
  })

  test('with parameters in its path gets them from the request', async () => {
    const file = await own({
      id: 'w1',
      nodes: [{ ...webhook, webhookId: 'abc', parameters: { path: 'orders/:id/lines' } }],
    })
    const found = await findWorkflow(file, { file: '', line: null }, { request: { params: { id: 'a b' } } })
    expect(found.webhook.path).toBe('/webhook/abc/orders/a%20b/lines')
    expect((await refusalOf(() => find(file))).message).toContain('Expected params.id')
  })

  test('of several in a workflow: each is called', async () => {
    const { requests } = await find(
      await own({ id: 'w1', nodes: [webhook, { ...webhook, name: 'Second', parameters: { path: 'second' } }] }),
    )
    expect(requests.map(({ path }) => path)).toEqual(['/webhook/orders', '/webhook/second'])
  })
})

describe('a workflow that names others', () => {
  const caller = {
    id: 'w1',
    name: 'Orders',
    nodes: [
      webhook,
      {
        name: 'Price',
        type: 'n8n-nodes-base.executeWorkflow',
        parameters: { workflowId: { __rl: true, mode: 'list', value: 'sub' } },
      },
    ],
    settings: { errorWorkflow: 'err' },
  }
  const sub = { id: 'sub', name: 'Price', nodes: [{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' }] }
  const onError = {
    id: 'err',
    name: 'On error',
    nodes: [{ name: 'Error', type: 'n8n-nodes-base.errorTrigger' }],
    settings: { errorWorkflow: 'err' },
  }

  test('is imported behind them', async () => {
    expect((await find(await own([caller, onError, sub]))).imports.map(({ id }) => id)).toEqual(['sub', 'err', 'w1'])
  })

  test('is refused where one of them is missing', async () => {
    const refusal = await refusalOf(async () => find(await own([caller, onError])))
    expect(refusal).toMatchObject({
      code: 'missing-workflow',
      exit: exitCodes.usage,
      message: expect.stringContaining(
        'Expected the sub-workflow of "Price" of Orders, the workflow with the id sub, beside it, got none.',
      ),
    })
  })

  test('is not asked for them on an n8n that has them', async () => {
    expect((await findWorkflow(await own(caller), { file: '', line: null }, { imported: false })).id).toBe('w1')
  })

  test('may name one by an expression, which only n8n can read', async () => {
    const byExpression = {
      ...caller,
      settings: {},
      nodes: [webhook, { ...caller.nodes[1], parameters: { workflowId: '={{ $json.next }}' } }],
    }
    expect((await find(await own(byExpression))).imports).toHaveLength(1)
  })
})
