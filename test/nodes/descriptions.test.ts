import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'
import type { NodeName } from '../support/core.ts'
import { onEachLine } from './lines.ts'

const root = resolve(import.meta.dirname, '../..')
const nodes: [NodeName, string, string][] = [
  ['loadTarget', 'Load Target', 'LoadTarget/loadTarget'],
  ['queue', 'n8n Queue', 'Queue/queue'],
  ['queuePressureTrigger', 'Queue Pressure Trigger', 'QueuePressureTrigger/queuePressureTrigger'],
]

onEachLine((core) => {
  test.each(nodes)('n8n finds %s, its icon and its codex', (name, displayName, icon) => {
    const description = core().descriptions[name] as never as Record<string, never>
    expect(description.displayName).toBe(displayName)
    expect(description.iconUrl).toBe(`icons/n8n-nodes-tuned/dist/nodes/${icon}.svg`)
    expect(existsSync(join(root, `dist/nodes/${icon}.svg`))).toBe(true)
    expect(description.codex).toMatchObject({ categories: ['Development', 'Utility'] })
  })
})

test('the package brings no other with it', () => {
  const { dependencies, bundledDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect({ dependencies, bundledDependencies }).toEqual({})
})
