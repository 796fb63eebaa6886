import { expect, test } from '@jest/globals'
import { onEachLine } from '../lines.ts'

onEachLine((core) => {
  test('every parameter but the operation belongs to one operation', () => {
    const [operation, ...parameters] = core().descriptions.loadTarget.properties
    const values = (operation!.options as { value: string }[]).map(({ value }) => value)
    expect(values).toEqual(['cpu', 'fail', 'memory', 'binary', 'payload', 'mix', 'wait'])
    for (const { displayOptions } of parameters) expect(values).toContain(displayOptions?.show?.operation?.[0])
  })
})
