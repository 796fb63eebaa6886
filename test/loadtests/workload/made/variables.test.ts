import { describe, expect, it } from '@jest/globals'
import type { Exported } from '../../../../loadtests/src/n8n/exported.ts'
import { surelyReadsEnvironment, withVariablesMade } from '../../../../loadtests/src/workload/made/variables.ts'

const node = (name: string, type: string, parameters: Record<string, unknown> = {}, more: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  ...more,
})
const chain = (...nodes: Exported['nodes']): Exported => ({
  id: '1',
  name: 'w',
  nodes,
  connections: Object.fromEntries(
    nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  ),
})
const hook = node('Webhook', 'webhook')

describe('a variable of n8n that a workflow reads', () => {
  it('has a made value in expressions and in code', () => {
    const { workflow, made } = withVariablesMade(
      chain(
        node('Get', 'httpRequest', { url: '={{ $vars.apiUrl }}/orders', note: 'not $vars.this' }),
        node('Code', 'code', { jsCode: "return [{ json: { key: $vars['API_KEY'], again: $vars?.apiUrl } }]" }),
      ),
    )
    expect([...made.keys()]).toEqual(['$vars.apiUrl', '$vars.API_KEY'])
    expect(workflow.nodes.map(({ parameters }) => parameters)).toEqual([
      { url: '={{ "https://www.example.com/page" }}/orders', note: 'not $vars.this' },
      {
        jsCode: 'return [{ json: { key: "mock-0123456789abcdef", again: "https://www.example.com/page" } }]',
      },
    ])
  })
})

it('a variable of the environment has one too, where n8n forbids it', () => {
  const read = chain(node('Get', 'httpRequest', { url: '={{ $env.API_URL }}/orders' }))
  expect(withVariablesMade(read).workflow.nodes[0]!.parameters).toEqual({ url: '={{ $env.API_URL }}/orders' })
  const { workflow, made } = withVariablesMade(read, { environment: true })
  expect(workflow.nodes[0]!.parameters).toEqual({ url: '={{ "https://www.example.com/page" }}/orders' })
  expect([...made.keys()]).toEqual(['$env.API_URL'])
})

describe('an expression that reads the environment, which n8n forbids', () => {
  const catalog = { parametersOf: ({ parameters = {} }: { parameters?: Record<string, unknown> }) => parameters }
  const found = (...nodes: Exported['nodes']) => surelyReadsEnvironment(chain(hook, ...nodes), ['Webhook'], catalog)
  const reading = (value: string, more: object = {}) => node('Get', 'httpRequest', { options: { url: value } }, more)

  it('is found before n8n starts, in a node that is sure to run', () => {
    expect(found(reading('={{ $env.API_URL }}/x'))).toEqual({ node: 'Get', name: 'API_URL' })
    expect(found(node('Edit', 'set'), reading("={{ $env['API_URL'] ?? 'none' }}"))).toEqual({
      node: 'Get',
      name: 'API_URL',
    })
  })

  it.each<[string, Exported['nodes']]>([
    ['a node after a decision may not run', [node('If', 'if'), reading('={{ $env.A }}')]],
    ['a request may answer with nothing', [node('Other', 'httpRequest'), reading('={{ $env.A }}')]],
    ['its error may be handled', [reading('={{ $env.A }}', { onError: 'continueRegularOutput' })]],
    ['an alternative may not be read', [reading('={{ $json.a ? $env.A : 1 }}')]],
    ['a text that is no expression reads nothing', [reading('$env.A')]],
    ['a node that is switched off reads nothing', [reading('={{ $env.A }}', { disabled: true })]],
  ])('is n8n’s to refuse elsewhere: %s', (_, nodes) => expect(found(...nodes)).toBeNull())
})
