import { describe, expect, test } from '@jest/globals'
import { bundled } from './files.ts'

const distinct = (values: unknown[]) => expect(new Set(values).size).toBe(values.length)

test('ids, names, webhook paths and webhook ids are distinct: all can be active together', () => {
  const nodes = bundled.flatMap(({ workflow }) => workflow.nodes)
  distinct(bundled.map(({ workflow }) => workflow.id))
  distinct(bundled.map(({ name }) => name))
  distinct(nodes.map(({ id }) => id))
  distinct(nodes.flatMap(({ webhookId }) => webhookId ?? []))
  distinct(nodes.flatMap(({ parameters }) => parameters.path ?? []))
})

describe.each(bundled.map((one) => [one.name, one] as const))('%s', (name, { workflow, builtin }) => {
  test('is named as its file, and inactive', () => {
    expect(workflow).toMatchObject({ name, active: false })
  })

  test('has an id that n8n 0.x can store in its integer column and gives out to nobody else', () => {
    expect(workflow.id).toMatch(/^5678\d{3}$/)
  })

  test('says in the editor what it is for and how to use it', () => {
    const [note] = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
    expect(note!.parameters.content).toMatch(/Publish it/)
  })

  test('says in the editor whether it needs the package', () => {
    const needs = workflow.nodes.some(({ type }) => type.startsWith('n8n-nodes-tuned.'))
    const [note] = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
    expect(/^Needs the package n8n-nodes-tuned\.$/m.test(String(note!.parameters.content))).toBe(needs)
  })

  test('is made of nodes and versions that both lines have', () => {
    for (const { type, typeVersion } of workflow.nodes) {
      expect(type).toMatch(builtin ? /^n8n-nodes-base\./ : /^n8n-nodes-(base|tuned)\./)
      // A Webhook of version 1 costs n8n 2.41 an isolate for every request, and 0.x knows no other: each n8n takes its
      // own.
      const ofQueue = /^n8n-nodes-tuned\.queue/.test(type)
      expect(typeVersion).toBe(type === 'n8n-nodes-base.webhook' ? undefined : ofQueue ? 2 : 1)
    }
  })

  test('connects its nodes, each with a place of its own', () => {
    const steps = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'))
    expect(Object.values(workflow.connections).flatMap(({ main }) => main.flat().map(({ node }) => node))).toEqual(
      steps.slice(1).map((step) => step.name),
    )
    distinct(workflow.nodes.map(({ position }) => position.join()))
  })

  test('its webhook has the id that n8n registers it by', () => {
    for (const node of workflow.nodes.filter(({ type }) => /\.(webhook|wait)$/.test(type)))
      expect(node.webhookId).toMatch(/^[0-9a-f-]{36}$/)
  })
})
