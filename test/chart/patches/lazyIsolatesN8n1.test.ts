import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

describe('lazyIsolatesN8n1', () => {
  /** n8n 1 that lists its isolates, and a webhook that it is asked about. */
  const n8n1 = `
    const { Expression, Workflow } = require('n8n-workflow')
    const { Webhook } = require('n8n-nodes-base/dist/nodes/Webhook/Webhook.node.js')
    const webhook = new Webhook()
    const nodeTypes = { getByNameAndVersion: () => webhook, getByName: () => webhook, getKnownTypes: () => ({}) }
    const node = { id: '1', name: 'Webhook', type: 'webhook', typeVersion: 2, position: [0, 0] }
    const workflowOf = (parameters) =>
      new Workflow({ nodes: [{ ...node, parameters }], connections: {}, active: false, nodeTypes })
    const evaluate = ({ expression, nodes }, text) => {
      try {
        return expression.getSimpleParameterValue(nodes.Webhook, text, 'internal', {})
      } catch (error) {
        return error.name + ': ' + error.message
      }
    }
    const start = async () => {
      const bridge = { bridgeTimeout: 500, bridgeMemoryLimit: 128 }
      await Expression.initExpressionEngine({ engine: 'vm', poolSize: 1, maxCodeCacheSize: 64, ...bridge })
      const { config } = Expression.vmEvaluator
      const { createBridge } = config
      const made = []
      config.createBridge = () => {
        made.push(createBridge())
        return made.at(-1)
      }
      return made
    }
    const print = (seen) => {
      const text = JSON.stringify(seen, (_, value) => value === undefined ? 'nothing' : value)
      process.stdout.write(text, () => process.exit())
    }`

  const asked = (parameters: object) => `${n8n1}
    const ask = async () => {
      const made = await start()
      const workflow = workflowOf(${JSON.stringify(parameters)})
      await workflow.expression.acquireIsolate()
      const { expression, nodes } = workflow
      const complex = (text) => expression.getComplexParameterValue(nodes.Webhook, text, 'webhook', {})
      const answers = Object.entries(webhook.description.webhooks[0]).map(([field, text]) =>
        [field, evaluate(workflow, text), complex(text)])
      const outputs = evaluate(workflow, webhook.description.outputs)
      await workflow.expression.releaseIsolate()
      await Expression.vmEvaluator.waitForReplenishment()
      print({ isolates: made.length, answers: [...answers, ['outputs', outputs]] })
    }
    void ask()`

  test.each([
    ['few', { path: 'orders' }],
    [
      'many',
      {
        path: 'orders',
        httpMethod: ['GET', 'POST'],
        multipleMethods: true,
        responseMode: 'lastNode',
        options: {
          responseCode: { values: { responseCode: 201 } },
          responseContentType: 'text/plain',
          responseHeaders: { entries: [{ name: 'x', value: 'y' }] },
        },
      },
    ],
    [
      'old',
      {
        path: 'orders',
        responseCode: 418,
        responseData: 'allEntries',
        responseBinaryPropertyName: 'data',
        options: { noResponseBody: true },
      },
    ],
  ])('answers a webhook of %s plain parameters as before, without an isolate', (_, parameters) => {
    const { plain, patched } = eachWay('1.123.81', 'lazyIsolatesN8n1', asked(parameters)) as Record<
      string,
      { isolates: number; answers: unknown }
    >
    expect(patched!.answers).toEqual(plain!.answers)
    expect([plain!.isolates, patched!.isolates]).toEqual([1, 0])
  })

  test('evaluates parameters that are expressions as before', () => {
    const parameters = {
      path: '={{ "orders" + 1 }}',
      responseMode: '={{ "last" + "Node" }}',
      options: { responseHeaders: { entries: [{ name: 'x', value: '={{ 6 * 7 }}' }] } },
    }
    const { plain, patched } = eachWay('1.123.81', 'lazyIsolatesN8n1', asked(parameters)) as Record<
      string,
      { isolates: number; answers: unknown }
    >
    expect(patched).toEqual(plain)
    expect(JSON.stringify(plain!.answers)).toContain('orders1')
  })

  const atOnce = `${n8n1}
    const texts = [
      '={{ [1, 2, 3].sum() }}',
      '={{ DateTime.fromMillis(0).toUTC().toISO() }}',
      '={{ $parameter.path }}',
      '={{ $json.absent.absent }}',
      '={{ null.absent }}',
      '={{ process.mainModule }}',
      '={{ 1 + }}',
      '={{ (() => { while (true) {} })() }}',
    ]
    const ask = async () => {
      const made = await start()
      const workflows = ['a', 'b', 'c'].map((path) => workflowOf({ path }))
      const acquired = await Promise.all(workflows.map(({ expression }) => expression.acquireIsolate()))
      const again = await workflows[0].expression.acquireIsolate()
      const answers = workflows.map((workflow) => texts.map((text) => evaluate(workflow, text)))
      await Promise.all(workflows.map(({ expression }) => expression.releaseIsolate()))
      const late = evaluate(workflows[0], texts[0])
      print({ seen: { acquired, again, answers, late }, isolates: made.length })
    }
    void ask()`

  test('evaluates more executions at once than there are isolates waiting, and none that gave its own back', () => {
    const { plain, patched } = eachWay('1.123.81', 'lazyIsolatesN8n1', atOnce) as Record<
      string,
      { isolates: number; seen: { answers: unknown[][]; late: string } }
    >
    expect(patched!.seen).toEqual(plain!.seen)
    expect(plain!.seen.answers.map(([sum, , path]) => [sum, path])).toEqual([
      [6, 'a'],
      [6, 'b'],
      [6, 'c'],
    ])
    expect(plain!.seen.answers.map((each) => each.at(-1))).toEqual(
      Array(3).fill('ExpressionError: Expression timed out'),
    )
    expect(plain!.seen.late).toContain('No bridge acquired')
    expect(patched!.isolates).toBe(3)
  })

  test('compiles the runtime for the first isolate only', () => {
    const { plain, patched } = eachWay(
      '1.123.81',
      'lazyIsolatesN8n1',
      `
      const { IsolatedVmBridge } = require('@n8n/expression-runtime')
      const compiled = async () => {
        const bridge = new IsolatedVmBridge({ logger: { debug() {} } })
        const { isolate } = bridge
        let cached = false
        bridge.isolate = new Proxy(isolate, {
          get: (_, name) => name === 'compileScript' ? async (code, options) => {
            const script = await isolate.compileScript(code, options)
            cached = Boolean(options.cachedData) && !script.cachedDataRejected
            return script
          } : isolate[name].bind(isolate)
        })
        await bridge.initialize()
        return cached
      }
      void compiled().then(async (first) => {
        const text = JSON.stringify([first, await compiled()])
        process.stdout.write(text, () => process.exit())
      })`,
    )
    expect(plain).toEqual([false, false])
    expect(patched).toEqual([false, true])
  })
})
