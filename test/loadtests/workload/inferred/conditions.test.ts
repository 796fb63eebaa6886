import { describe, expect, it } from '@jest/globals'
import { conditionsOf, typesOf } from '../../../../loadtests/src/workload/inferred/conditions.ts'

const given = (leftValue: string, operation = 'equals', type = 'string') => ({
  leftValue,
  rightValue: 'x',
  operator: { type, operation },
})
const lefts = (all: { left: unknown; holds?: boolean }[]) => all.map(({ left }) => left)

describe('of several conditions', () => {
  const joined = (combinator: string) => ({ conditions: { combinator, conditions: [given('a'), given('b')] } })

  it.each<[string, string, number, string[]]>([
    ['all have to hold that are joined by "and"', 'and', 0, ['a', 'b']],
    ['one has to hold that is joined by "or"', 'or', 0, ['a']],
    ['one has to be false that is joined by "and"', 'and', 1, ['a']],
    ['all have to be false that are joined by "or"', 'or', 1, ['a', 'b']],
  ])('%s', (_, combinator, branch, expected) => {
    const all = conditionsOf('if', joined(combinator), branch)
    expect(lefts(all)).toEqual(expected)
    expect(all.every(({ holds }) => holds === (branch === 0))).toBe(true)
  })

  it('a filter lets through what holds, whatever its output', () => {
    expect(conditionsOf('filter', joined('and'), 1).map(({ holds }) => holds)).toEqual([true, true])
  })

  it('another node has none', () => {
    expect(conditionsOf('merge', joined('and'), 0)).toEqual([])
  })
})

describe('the first versions of the node If', () => {
  const old = { conditions: { number: [{ value1: 'a', value2: 3 }], string: [{ value1: 'b', operation: 'contains' }] } }

  it('compare by what each kind does where nothing is said', () => {
    expect(conditionsOf('if', old, 0)).toEqual([
      { left: 'a', operation: 'smaller', right: 3, holds: true },
      { left: 'b', operation: 'contains', right: undefined, holds: true },
    ])
  })

  it('have a word of their own for "or"', () => {
    expect(lefts(conditionsOf('if', { ...old, combineOperation: 'any' }, 0))).toEqual(['a'])
  })
})

describe('a Switch', () => {
  const rules = { rules: { values: ['a', 'b'].map((left) => ({ conditions: { conditions: [given(left)] } })) } }

  it.each<[string, number, string[]]>([
    ['has the rule of the output that is taken', 1, ['b']],
    ['has its first rule, where the output is that of no rule', 2, ['a']],
  ])('%s', (_, branch, expected) => {
    expect(lefts(conditionsOf('switch', rules, branch))).toEqual(expected)
  })

  it('of the first versions compares one value with that of the rule of the output', () => {
    const old = {
      value1: 'state',
      rules: {
        rules: [
          { value2: 'new', output: 1 },
          { value2: 'open', output: 0 },
        ],
      },
    }
    expect(conditionsOf('switch', old, 0)).toEqual([{ left: 'state', operation: 'equal', right: 'open', holds: true }])
  })

  it('without rules asks nothing', () => {
    expect(conditionsOf('switch', { mode: 'expression' }, 0)).toEqual([])
  })
})

it('a type is checked by each condition but those that look whether there is anything', () => {
  const types = typesOf({
    conditions: { conditions: [given('a', 'gt', 'number'), given('b', 'exists'), given('c', 'notEmpty')] },
    rules: { values: [{ conditions: { conditions: [given('d')] } }] },
  })
  expect(types).toEqual([
    { left: 'a', type: 'number' },
    { left: 'd', type: 'string' },
  ])
})

it.each([null, 'text', {}, [], { conditions: 'a' }, { conditions: { conditions: 'a' } }, { conditions: [null] }])(
  'conditions that no n8n writes ask nothing: %j',
  (conditions) => {
    expect(conditionsOf('if', { conditions }, 0)).toEqual([])
    expect(typesOf({ conditions } as Record<string, unknown>)).toEqual([])
  },
)
