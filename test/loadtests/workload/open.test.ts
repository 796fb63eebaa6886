import { relative } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { loadableWorkflows } from '../../../loadtests/src/workload/open.ts'
import { refusalOf } from '../../support/refusal.ts'
import { find, own, webhook } from '../fixtures/own-workflows.ts'

describe('a bundled workflow', () => {
  test('is found by its name', async () => {
    const workflow = await find('ping-webhook')
    expect(workflow).toMatchObject({
      name: 'ping-webhook',
      webhook: { method: 'GET', path: '/webhook/ping' },
      needsNodes: false,
    })
    expect(workflow.id).not.toBe('')
  })

  test('says whether it needs the nodes of this project', async () => {
    expect(await find('wait-5s-webhook')).toMatchObject({ needsNodes: true })
    expect(await find('wait-5s-webhook-builtin')).toMatchObject({ needsNodes: false })
  })

  test('that does not exist is refused, with the one that was meant', async () => {
    expect((await refusalOf(() => find('ping-webhok'))).hint).toBe('Did you mean ping-webhook?')
  })

  test('that does not exist and is near to none is refused, with those that do', async () => {
    const refusal = await refusalOf(() => find('tennis'))
    expect(refusal.message).toBe(
      'mine.yaml:3: Expected workflows to name a bundled workflow, a JSON file or a folder of them, got ' + '"tennis".',
    )
    expect(refusal).toMatchObject({ code: 'unknown-workflow', exit: exitCodes.usage })
    for (const name of await loadableWorkflows()) expect(refusal.hint).toContain(name)
    expect(refusal.hint).not.toContain('memory-hog') // it starts by itself: no load reaches it
  })
})

describe('a workflow of one’s own', () => {
  test('is found by its file', async () => {
    const file = await own({ id: 'w1', nodes: [{ type: 'n8n-nodes-base.set' }, webhook] })
    expect(await find(relative('.', file))).toMatchObject({
      name: 'orders',
      id: 'w1',
      imports: [{ id: 'w1', active: false }],
      webhook: { method: 'POST', path: '/webhook/orders' },
      needsNodes: false,
      warnings: [],
    })
  })

  test('is loaded with GET where its Webhook node does not say', async () => {
    const file = await own({ id: 'w1', nodes: [{ ...webhook, parameters: { path: 'orders' } }] })
    expect((await find(file)).webhook.method).toBe('GET')
  })

  test('may use the nodes of this project', async () => {
    const file = await own({ id: 'w1', nodes: [webhook, { type: 'n8n-nodes-tuned.loadTarget' }] })
    expect((await find(file)).needsNodes).toBe(true)
  })

  test('is reached by the Webhook node that is not disabled', async () => {
    const file = await own({
      id: 'w1',
      nodes: [
        { ...webhook, disabled: true },
        { ...webhook, parameters: { path: 'second' } },
      ],
    })
    expect((await find(file)).webhook.path).toBe('/webhook/second')
  })

  test.each([
    [
      'has no trigger',
      { id: 'w1', nodes: [{ type: 'n8n-nodes-base.noOp' }] },
      'a Webhook, Form, Chat or MCP trigger in orders',
      'none',
    ],
    [
      'has none that is active',
      { id: 'w1', nodes: [{ ...webhook, disabled: true }] },
      'a Webhook, Form, Chat or MCP trigger in orders',
      'none',
    ],
    ['is nothing', 'null', 'a workflow as JSON', 'null'],
    ['is an empty list', [], 'a workflow as JSON', 'an empty list'],
    ['has no nodes', { id: 'w1' }, 'a workflow as JSON', 'an object without nodes'],
    ['is no JSON', '{ id: w1 }', 'a workflow as JSON', '.+'],
  ])('is refused when it %s', async (_, content, expected, got) => {
    const file = await own(content)
    const refusal = await refusalOf(() => find(file))
    expect(refusal.message).toMatch(new RegExp(`^${relative('.', file)}: Expected ${expected}, got ${got}\\.$`))
    expect(refusal).toMatchObject({
      code: 'bad-workflow',
      exit: exitCodes.usage,
      hint: expect.stringMatching(/export the workflow/i),
    })
  })

  test('is refused when its file is not there', async () => {
    const refusal = await refusalOf(() => find('/nowhere/orders.json'))
    expect(refusal.hint).toBe('Check the path.')
    expect(refusal.message).toMatch(/nowhere\/orders\.json: Expected a readable file, got none of that name\.$/)
  })
})
