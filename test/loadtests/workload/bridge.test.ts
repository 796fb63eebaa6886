import { describe, expect, it } from '@jest/globals'
import type { ExportedNode } from '../../../loadtests/src/n8n/exported.ts'
import { findWorkflow, givenBy, toBridge, withBridges } from '../../../loadtests/src/workload/open.ts'
import { own, webhook } from '../fixtures/own-workflows.ts'

const node = (name: string, type: string, parameters: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
})
const to = (name: string, type = 'main') => ({ node: name, type, index: 0 })

const found = async (nodes: object[], connections: object, pinData: object = {}) => {
  const file = await own({ name: 'Orders', nodes: [webhook, ...nodes], connections, pinData })
  return findWorkflow(file, { file, line: null })
}
const after = async (bridged: string, workflow: Awaited<ReturnType<typeof found>>) => {
  const main = withBridges(workflow, [{ node: bridged, said: 'It failed.' }]).imports.at(-1)!
  const standIn = main.nodes.find(({ name }) => name === bridged) as ExportedNode
  return { standIn, connections: main.connections, others: main.nodes.filter(({ name }) => name !== bridged) }
}

const lookup = node('Lookup', 'shopify')
const reader = node('Reader', 'set', {
  assignments: { assignments: [{ name: 'to', value: '={{ $json.customer.email }}', type: 'string' }] },
})
const inARow = { Webhook: { main: [[to('Lookup')]] }, Lookup: { main: [[to('Reader')]] } }

describe('a node that fails is bridged', () => {
  it('by what the nodes after it read, without an expression', async () => {
    const { standIn, others } = await after('Lookup', await found([lookup, reader], inARow))
    expect(standIn).toMatchObject({ type: 'n8n-nodes-base.set', parameters: { mode: 'raw' } })
    expect(JSON.parse(standIn.parameters!.jsonOutput as string)).toEqual({
      customer: { email: 'ada.lovelace@example.com' },
    })
    expect(others).toContainEqual(expect.objectContaining(reader))
  })

  it('by what it would have made itself, and by what it gets', async () => {
    const code = node('Code', 'code', { jsCode: 'return [{ json: { customer: { email: f($json.x) }, kind: "new" } }]' })
    const workflow = await found([code, reader], {
      Webhook: { main: [[to('Code')]] },
      Code: { main: [[to('Reader')]] },
    })
    const { standIn } = await after('Code', workflow)
    expect(standIn.parameters).toMatchObject({ includeOtherFields: true })
    expect(JSON.parse(standIn.parameters!.jsonOutput as string)).toMatchObject({
      customer: { email: 'ada.lovelace@example.com' },
    })
  })

  it('by its pinned data before that', async () => {
    const workflow = await found([lookup, reader], inARow, { Lookup: [{ json: { customer: { email: 'b@b.b' } } }] })
    expect(givenBy('Lookup', workflow)).toEqual({ gives: 'pinned', item: { customer: { email: 'b@b.b' } } })
  })

  it('by what it gets where nothing of it is read', async () => {
    const end = node('End', 'slack')
    const workflow = await found([lookup, end], { ...inARow, Lookup: { main: [[to('End')]] } })
    const { standIn } = await after('Lookup', workflow)
    expect(standIn.type).toBe('n8n-nodes-base.noOp')
  })

  it('by the branch that leads to most of the workflow', async () => {
    const workflow = await found([node('Is it new?', 'if'), lookup, reader], {
      Webhook: { main: [[to('Is it new?')]] },
      'Is it new?': { main: [[], [to('Lookup')]] },
      Lookup: { main: [[to('Reader')]] },
    })
    const { connections } = await after('Is it new?', workflow)
    expect(connections['Is it new?']).toEqual({ main: [[to('Lookup')]] })
  })

  it('with its model, which has nothing to do any more', async () => {
    const workflow = await found([node('Agent', 'agent'), node('Model', 'lmChat'), reader], {
      Webhook: { main: [[to('Agent')]] },
      Agent: { main: [[to('Reader')]] },
      Model: { ai_languageModel: [[to('Agent', 'ai_languageModel')]] },
    })
    expect(toBridge('Model', workflow.imports.at(-1)!)?.name).toBe('Agent')
    const { connections } = await after('Agent', workflow)
    expect(connections.Model).toEqual({ ai_languageModel: [[]] })
  })

  it('and not where it is the trigger, or a connection leads to a model as if it handed on items', async () => {
    const workflow = await found([node('Memory', 'memory'), reader], {
      Webhook: { main: [[to('Memory')]] },
      Memory: { main: [[to('Reader')]], ai_memory: [[to('Reader', 'ai_memory')]] },
    })
    const main = workflow.imports.at(-1)!
    expect(toBridge('Webhook', main)).toBeNull()
    expect(toBridge('Memory', main)?.name).toBe('Memory')
  })
})
