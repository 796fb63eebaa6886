import { expect, test } from '@jest/globals'
import { misses, render } from './page.ts'

const accurate = { version: '2.41.1', operation: 'cpu', told: 100, got: 104.9, unit: 'ms' } as const
const cheap = { version: '2.41.1', kind: 'wait', workMs: 20, webhookMs: 8, loadTargetMs: 1, codeMs: 4 } as const

test('within 5 % and half of what the Code node adds nothing is missed', () => {
  expect(misses([accurate], [cheap])).toEqual([])
  expect(misses([{ ...accurate, got: 95.1 }], [{ ...cheap, loadTargetMs: 2 }])).toEqual([])
})

test('says what is missed, and by how much', () => {
  expect(misses([{ ...accurate, got: 94 }], [{ ...cheap, loadTargetMs: 2.1 }])).toEqual([
    'Expected cpu to be within 5 % of 100 ms on 2.41.1, got 94.0',
    'Expected Load Target to add at most half of what the Code node adds to a wait on 2.41.1, got 2.1 against 4.0 ms',
  ])
})

test('a Code node that adds nothing says that the measurement is worth nothing', () => {
  expect(misses([], [{ ...cheap, loadTargetMs: -1, codeMs: -2 }])).toHaveLength(1)
})

test('the page names the command and the figures', () => {
  const page = render({ cpu: 'A CPU', cores: 2, load: 0.1, commit: 'abc' }, [accurate], [cheap])
  expect(page).toContain('make bench-nodes')
  expect(page).toContain('| 2.41.1 | cpu | 100 ms | 104.9 ms | 4.9 % |')
  expect(page).toContain('| 2.41.1 | wait | 20.0 | 8.0 | 1.0 | 4.0 | 0.25 |')
})
