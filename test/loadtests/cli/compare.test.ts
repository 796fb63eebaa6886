import { besideEachOther, parseBounds } from '../../../loadtests/src/cli/compare.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('--bound', () => {
  test('is of capacity, of memory, of CPU, or of several', () => {
    expect(parseBounds('capacity=10%,memory=0.2')).toEqual({ capacity: 0.1, memory: 0.2 })
    expect(parseBounds('cpu=10%')).toEqual({ cpu: 0.1 })
  })

  test.each(['10%', 'speed=1%', 'capacity=much', 'capacity=200%', ''])(
    'is refused as %j, with what it may be',
    (given) => {
      expect(() => parseBounds(given)).toThrow('Expected capacity=8%, memory=15% or cpu=8%, got ')
    },
  )
})

describe('--rate', () => {
  const prepared = (...names: string[]) =>
    ({
      experiment: {
        load: { shape: 'search', timeout: 10 },
        slo: { p95: 500 },
        variants: names.map((name) => ({ name, values: {} })),
      },
    }) as unknown as Prepared

  test('has all variants run at once, each held against the first', () => {
    expect(besideEachOther(prepared('before', 'after', 'later'), { rate: 10 }).experiment).toMatchObject({
      load: { shape: 'constant', rate: 10, timeout: 10, duration: 30 },
      variants: [
        { name: 'before', values: {} },
        { name: 'after', beside: 'before' },
        { name: 'later', beside: 'before' },
      ],
    })
  })

  test('is refused for a variant alone', async () => {
    expect(await refusalOf(async () => besideEachOther(prepared('before'), { rate: 10 }))).toMatchObject({
      code: 'nothing-beside',
      exit: exitCodes.usage,
    })
  })

  test('left out changes nothing', () => {
    const given = prepared('before', 'after')
    expect(besideEachOther(given, {})).toBe(given)
  })
})
