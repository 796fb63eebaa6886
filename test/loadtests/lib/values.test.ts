import { asValuesFile, atPath, mergeValues, valueAt } from '../../../loadtests/src/lib/values.ts'

describe('values are merged as Helm does it:', () => {
  test('maps are merged, deeply', () => {
    expect(mergeValues({ main: { replicas: 1, heap: { percent: 90 } } }, { main: { heap: { reserve: 64 } } })).toEqual({
      main: { replicas: 1, heap: { percent: 90, reserve: 64 } },
    })
  })

  test('everything else is replaced, lists too', () => {
    expect(mergeValues({ a: [1, 2], b: 'x', c: { d: 1 } }, { a: [3], b: { e: 1 }, c: 2 })).toEqual({
      a: [3],
      b: { e: 1 },
      c: 2,
    })
  })

  test('null is kept, for Helm to remove the chart’s own default', () => {
    expect(mergeValues({ a: { b: 1 } }, { a: null })).toEqual({ a: null })
  })

  test('the later goes over the earlier, however many there are', () => {
    expect(mergeValues({ a: 1, b: 1 }, { a: 2 }, { a: 3 })).toEqual({ a: 3, b: 1 })
    expect(mergeValues()).toEqual({})
  })

  test('a key that JavaScript has a use for is one as any other', () => {
    const services = JSON.parse('{ "__proto__": { "image": "n8nio/n8n" } }') as Record<string, unknown>
    expect(Object.keys(mergeValues({ services }).services as object)).toEqual(['__proto__'])
  })

  test('what was merged is left as it was', () => {
    const base = { main: { replicas: 1 } }
    mergeValues(base, { main: { replicas: 2 } })
    expect(base).toEqual({ main: { replicas: 1 } })
  })
})

test('a dotted path is the maps that lead there', () => {
  expect(atPath('main.resources.limits.cpu', '2')).toEqual({ main: { resources: { limits: { cpu: '2' } } } })
  expect(atPath('timezone', 'UTC')).toEqual({ timezone: 'UTC' })
})

test('a path leads to what the maps have, and not to what every object of JavaScript has', () => {
  expect(valueAt({ main: { replicas: 2 } }, 'main.replicas')).toBe(2)
  expect(valueAt({ main: {} }, 'main.constructor')).toBeUndefined()
})

test('text that YAML 1.1 takes for a switch keeps its quotes, since that is what Helm reads', () => {
  expect(asValuesFile({ a: 'off', b: 'yes', c: true })).toBe('a: "off"\nb: "yes"\nc: true\n')
})
