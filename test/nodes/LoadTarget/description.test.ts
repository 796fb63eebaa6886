import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'
import { onEachLine } from './lines.ts'

onEachLine((core) => {
  test('n8n finds the node, its icon and its codex', () => {
    const { displayName, iconUrl, codex } = core().description as never as Record<string, never>
    expect(displayName).toBe('Load Target')
    expect(iconUrl).toBe('icons/n8n-nodes-tuned/dist/nodes/LoadTarget/loadTarget.svg')
    expect(existsSync(join(resolve(import.meta.dirname, '../../..'), 'dist/nodes/LoadTarget/loadTarget.svg'))).toBe(true)
    expect(codex).toMatchObject({ categories: ['Development', 'Utility'] })
  })

  test('every parameter but the operation belongs to one operation', () => {
    const [operation, ...parameters] = core().description.properties
    const values = (operation!.options as { value: string }[]).map(({ value }) => value)
    expect(values).toEqual(['cpu', 'fail', 'memory', 'binary', 'payload', 'mix', 'wait'])
    for (const { displayOptions } of parameters) expect(values).toContain(displayOptions?.show?.operation?.[0])
  })
})
