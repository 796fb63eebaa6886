import { describe, expect, it } from '@jest/globals'
import { pathOf, Shape } from '../../../../loadtests/src/workload/inferred/shape.ts'

const behind = (...rest: Shape[]) => {
  const shape = new Shape()
  shape.rest.push(...rest)
  return shape
}

it.each<[string, (string | number)[]]>([
  ['data.items[0].name', ['data', 'items', 0, 'name']],
  ['["first name"]', ['first name']],
  ["body['a.b'].c", ['body', 'a.b', 'c']],
  ['', []],
])('the path %p has the parts %p', (path, parts) => {
  expect(pathOf(path)).toEqual(parts)
})

it('an element has the name of its list, of one', () => {
  expect(['orders', 'companies', 'address'].map((name) => new Shape(name).item().name)).toEqual([
    'order',
    'company',
    'address',
  ])
})

describe('a field that a shape does not have', () => {
  it('is that of the node before, where that has it', () => {
    const [first, second] = [new Shape(), new Shape()]
    const email = second.field('email')
    expect(behind(first, second).field('email')).toBe(email)
  })

  it('is asked of the first of the nodes before, at its beginning', () => {
    const [first, second] = [new Shape(), new Shape()]
    const asked = behind(behind(first), second).field('email')
    expect(first.find('email')).toBe(asked)
    expect(second.find('email')).toBeNull()
  })

  it('is its own, where nothing is before', () => {
    const shape = new Shape()
    expect(shape.field('email')).toBe(shape.field('email'))
  })
})

describe('looking behind comes to an end', () => {
  const loop = () => {
    const first = new Shape('rows')
    first.rest.push(behind(first))
    return first
  }

  it('where a loop of the workflow leads back', () => {
    const shape = loop()
    expect(shape.find('email')).toBeNull()
    expect(shape.field('email')).toBe(shape.field('email'))
    expect(shape.item()).toBe(shape.item())
  })

  it('where branches part and meet many times', () => {
    const start = new Shape()
    let last = start
    for (let times = 0; times < 60; times++) last = behind(behind(last), behind(last))
    expect(last.field('email')).toBe(start.find('email'))
  })
})
