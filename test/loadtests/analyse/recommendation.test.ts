import { summarise } from '../../../loadtests/src/analyse/summarise.ts'
import type { ReasonCode, Recommendation } from '../../../loadtests/src/analyse/summary.ts'
import type { Experiment } from '../../../loadtests/src/profile/experiment.ts'
import { cell, end, run, step } from '../fixtures/records.ts'

/** Rates by variant and workflow; null is killed for memory, undefined not measured. */
type Rates = Record<string, Record<string, number | null>>

function recommended(rates: Rates, over: Partial<Experiment> = {}): Recommendation | null {
  const workflows = [...new Set(Object.values(rates).flatMap(Object.keys))]
  const variants = Object.keys(rates).map((name) => ({ name, values: { of: { [name]: true } } }))
  const cells = Object.entries(rates).flatMap(([variant, own], v) => Object.entries(own).flatMap(([workflow, rate], w) => {
    const index = v * 10 + w
    return [cell(index, { variant, workflow }), rate === null ? step(index, 5, { because: ['oom-killed'] }) : step(index, rate)]
  }))
  return summarise([run({ experiment: { variants, workflows, ...over } }), ...cells, end()]).recommendation
}

test('takes the variant that carries the most over all workflows', () => {
  expect(recommended({ a: { x: 10, y: 10 }, b: { x: 40, y: 11 }, c: { x: 20, y: 20 } })).toMatchObject({ variant: 'b' })
})

test('does not take one that is worse than the first under any workflow', () => {
  expect(recommended({ a: { x: 10, y: 10 }, b: { x: 1000, y: 5 }, c: { x: 11, y: 11 } })).toMatchObject({ variant: 'c' })
})

test('allows what is worse by less than the noise', () => {
  expect(recommended({ a: { x: 10, y: 100 }, b: { x: 100, y: 97 } })).toMatchObject({ variant: 'b' })
})

test('stays with the first where nothing is better', () => {
  const recommendation = recommended({ a: { x: 20, y: 20 }, b: { x: 30, y: 10 } })
  expect(recommendation).toMatchObject({ variant: 'a' })
  expect(recommendation?.why).toContain('Nothing else')
})

test('prefers one that carries every workflow', () => {
  expect(recommended({ a: { x: 10, y: null }, b: { x: 100, y: null }, c: { x: 11, y: 5 } })).toMatchObject({ variant: 'c' })
})

test('gives every workflow its own figure, and what happened to the first', () => {
  expect(recommended({ a: { x: null, y: 19 }, b: { x: 118, y: 104 } })?.why)
    .toBe('b carries 118/s of x and 104/s of y. a carries 19/s of y and was killed for memory at 5/s under x.')
})

test('is nothing where nothing met the objective', () => {
  expect(recommended({ a: { x: null }, b: { x: null } })).toBeNull()
})

test('is nothing where the rivals were not measured', () => {
  const variants = [{ name: 'a', values: {} }, { name: 'b', values: {} }]
  expect(recommended({ a: { x: 10 } }, { variants })).toBeNull()
})

test('of one configuration is that one', () => {
  expect(recommended({ a: { x: 10 } })).toMatchObject({ variant: 'a', why: 'a carries 10/s of x.' })
})

describe('where the rate is given, the price decides', () => {
  const load: Experiment['load'] = { shape: 'constant', rate: 50, duration: 40, timeout: 30 }
  const matrix = { size: [1, 2, 3] }
  const sizes = (...told: { cost: number | null; seconds?: number; because?: ReasonCode[] }[]) =>
    summarise([run({ experiment: { load, matrix, variants: [{ name: 'v', values: {} }] } }),
      ...told.flatMap(({ cost, seconds = 40, because }, index) => [cell(index, { variant: 'v', matrix: { size: index + 1 }, cost }), step(index, 50, { seconds, because })]),
      end()]).recommendation

  test('among those that hold', () => {
    expect(sizes({ cost: 1, because: ['latency'] }, { cost: 3 }, { cost: 2 })).toMatchObject({ cell: { size: 3 }, why: expect.stringContaining('It costs 2: of 3 configurations, which cost between 1 and 3, the cheapest') })
  })

  test('and is not spoken of where all cost the same', () => {
    expect(sizes({ cost: 2 }, { cost: 2 })!.why).not.toContain('cost')
  })

  test('among those that held for the whole time', () => {
    expect(sizes({ cost: 1, seconds: 20 }, { cost: 2 }, { cost: 3 })).toMatchObject({ cell: { size: 2 } })
  })

  test('by the longest look, whatever a shorter one before it saw', () => {
    const looks = (index: number, cost: number, ...held: boolean[]) => [
      cell(index, { variant: 'v', matrix: { size: index + 1 }, cost }),
      ...held.map((holds, round) => step(index, 50, { repeat: round + 1, seconds: 5 * 2 ** round, because: holds ? [] : ['latency'] })),
    ]
    const sized = (...records: ReturnType<typeof looks>) => summarise([run({ experiment: { load, matrix, variants: [{ name: 'v', values: {} }] } }), ...records, end()]).recommendation
    expect(sized(...looks(0, 1, false, true, true, true), ...looks(1, 2, true, true, true, true))).toMatchObject({ cell: { size: 1 } })
    expect(sized(...looks(0, 1, true, true, true, false), ...looks(1, 2, true, true, true, true))).toMatchObject({ cell: { size: 2 } })
  })

  test('unless something has none', () => {
    expect(sizes({ cost: 2 }, { cost: 1 }, { cost: null })).toMatchObject({ cell: { size: 1 } })
  })
})

test('layers the values: base, variant, cell', () => {
  const experiment: Partial<Experiment> = {
    base: { image: { tag: '2.41.1' }, main: { replicas: 1, resources: { limits: { cpu: '1' } } } },
    variants: [{ name: 'tuned', values: { main: { replicas: 2 } } }],
    matrix: { 'main.resources.limits.cpu': ['2'] },
  }
  const records = [cell(0, { matrix: { 'main.resources.limits.cpu': '2' } }), step(0, 50)]
  expect(summarise([run({ experiment }), ...records, end()]).recommendation?.values).toEqual({
    image: { tag: '2.41.1' },
    main: { replicas: 2, resources: { limits: { cpu: '2' } } },
  })
})
