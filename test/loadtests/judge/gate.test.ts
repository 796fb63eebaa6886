import { gateOf } from '../../../loadtests/src/judge/gate.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { T0 } from '../fixtures/records.ts'
import { sideBySide } from '../fixtures/rounds.ts'
import type { Gate, GateAsked, GateFigures } from '../../../loadtests/src/model/gate.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'

const bounds = { capacity: 0.08, memory: 0.15, cpu: 0.08 }
const one = (over: Partial<GateFigures> = {}): GateFigures => ({
  variant: 'a',
  workflow: 'x',
  cell: {},
  capacities: [99, 100, 101],
  peaks: [690e6, 700e6, 710e6],
  ...over,
})
const result = ({ capacities, ...rest }: GateFigures): Result =>
  ({ ...rest, capacity: capacities.length ? { repeats: capacities } : null }) as unknown as Result
const against = (
  was: GateFigures[],
  now: GateFigures[],
  calibrations: [number | null, number | null] = [1000, 1000],
) => {
  const order: GateAsked = { bounds, earlier: { id: 'before', calibration: calibrations[0], results: was } }
  return gateOf(order, now.map(result), [], calibrations[1])!
}
const verdicts = (was: Partial<GateFigures>, now: Partial<GateFigures>) =>
  against([one(was)], [one(now)]).verdicts.map(({ measure, verdict }) => `${measure} ${verdict}`)

describe('capacity', () => {
  test('may fall within the bound', () => {
    expect(verdicts({}, { capacities: [97, 98, 99] })).toContain('capacity passed')
  })

  test('that rises is better', () => {
    expect(verdicts({}, { capacities: [199, 200, 201] })).toContain('capacity better')
  })

  test('of one run each is unsure, whatever it is', () => {
    expect(verdicts({ capacities: [100] }, { capacities: [200] })).toContain('capacity unsure')
    expect(against([one({ capacities: [100] })], [one({ capacities: [50] })]).verdicts[0]).toMatchObject({
      verdict: 'unsure',
      within: null,
    })
  })

  test('of which a repeat held nothing is unsure', () => {
    expect(verdicts({}, { capacities: [0, 80, 81] })).toContain('capacity unsure')
  })

  test('that falls beyond the bound, but not beyond what the repeats lie apart, is unsure', () => {
    expect(verdicts({ capacities: [100, 110, 120] }, { capacities: [90, 95, 100] })).toContain('capacity unsure')
  })

  test('that is none any more is worse', () => {
    expect(verdicts({}, { capacities: [] })).toContain('capacity worse')
  })

  test('that was none before can only get better', () => {
    expect(verdicts({ capacities: [] }, {})).not.toContain('capacity worse')
  })

  test('is told with both figures, the change and the bound', () => {
    expect(against([one()], [one({ capacities: [79, 80, 81] })]).verdicts[0]).toMatchObject({
      verdict: 'worse',
      was: 100,
      now: 80,
      change: expect.closeTo(-0.2),
      bound: 0.08,
    })
  })
})

describe('memory', () => {
  test('may grow within the bound', () => {
    expect(verdicts({}, { peaks: [720e6, 730e6, 740e6] })).toEqual(['capacity passed', 'memory passed'])
  })

  test('that grows beyond it is worse', () => {
    expect(verdicts({}, { peaks: [990e6, 1000e6, 1010e6] })).toEqual(['capacity passed', 'memory worse'])
  })

  test('may shrink', () => {
    expect(verdicts({}, { peaks: [299e6, 300e6, 301e6] })).toEqual(['capacity passed', 'memory better'])
  })
})

describe('what is held against what', () => {
  test('is the same workflow in the same cell, of the same variant', () => {
    const was = [
      one({ variant: 'a', capacities: [10] }),
      one({ variant: 'b' }),
      one({ variant: 'b', workflow: 'y', capacities: [10] }),
      one({ variant: 'b', cell: { size: 2 }, capacities: [10] }),
    ]
    expect(against(was, [one({ variant: 'b' })]).verdicts[0]).toMatchObject({ change: expect.closeTo(0) })
  })

  test('may have another name where there was but one, as after an upgrade', () => {
    expect(against([one({ variant: '2.40.7' })], [one({ variant: '2.41.1' })]).verdicts[0]).toMatchObject({
      verdict: 'passed',
    })
  })

  test('is unsure where the earlier run has nothing like it', () => {
    expect(against([one({ workflow: 'y' })], [one()]).verdicts).toMatchObject([
      { verdict: 'unsure', without: 'no-counterpart', baseline: null },
    ])
  })

  test('is the first variant of the same run, without an earlier one', () => {
    const gate = gateOf(
      { bounds, earlier: null },
      [one(), one({ variant: 'b', capacities: [79, 80, 81] })].map(result),
      [
        { name: 'a', values: {} },
        { name: 'b', values: {} },
      ],
      null,
    )!
    expect(gate).toMatchObject({
      against: null,
      verdicts: [
        { variant: 'b', measure: 'capacity', verdict: 'worse' },
        { variant: 'b', measure: 'memory', verdict: 'passed' },
      ],
    })
  })

  test('is unsure where that first variant was not measured on the workflow', () => {
    const gate = gateOf(
      { bounds, earlier: null },
      [one({ workflow: 'y' }), one({ variant: 'b' })].map(result),
      [
        { name: 'a', values: {} },
        { name: 'b', values: {} },
      ],
      null,
    )!
    expect(gate.verdicts).toMatchObject([{ verdict: 'unsure', without: 'no-counterpart', baseline: 'a' }])
  })

  test('is nothing where nothing was asked', () => {
    expect(gateOf(null, [result(one())], [], 1000)).toBeNull()
  })
})

test('machines that differ are told: a bare server would sustain as much more or less on them', () => {
  expect(against([one()], [one()], [1000, 1100]).apart).toBeNull()
  expect(against([one()], [one()], [1000, 800]).apart).toBeCloseTo(-0.2)
  expect(against([one()], [one()], [null, 800]).apart).toBeNull()
  const { verdicts } = against([one()], [one()], [1000, 800])
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(verdicts.map(() => 'unsure'))
})

describe('side by side', () => {
  const gated = (...took: Parameters<typeof sideBySide>): Gate => {
    const [begin, ...rest] = sideBySide(...took)
    return summarise([begin!, { type: 'gate', at: T0, bounds, earlier: null }, ...rest]).gate!
  }

  test(
    'CPU a request and memory are compared round by round, so that a machine that slows down in between '
      + 'hides nothing',
    () => {
      const { verdicts } = gated(
        [{ cores: 0.3 }, { cores: 0.4 }, { cores: 0.5 }],
        [{ cores: 0.345 }, { cores: 0.462 }, { cores: 0.575 }],
      )
      expect(verdicts).toMatchObject([
        { variant: 'after', measure: 'cpu', verdict: 'worse' },
        { measure: 'memory', verdict: 'passed' },
      ])
      expect(verdicts[0]).toMatchObject({ was: expect.closeTo(0.008, 5), now: expect.closeTo(0.00924, 5) })
    },
  )

  test('beyond the bound, but within what the rounds disagree on, is unsure', () => {
    const [cpu] = gated(
      [{ cores: 0.5 }, { cores: 0.5 }, { cores: 0.5 }],
      [{ cores: 0.48 }, { cores: 0.55 }, { cores: 0.65 }],
    ).verdicts
    expect(cpu).toMatchObject({ verdict: 'unsure', change: expect.closeTo(0.15, 1), within: expect.closeTo(0.45, 1) })
  })

  test('a round of which one n8n was not seen is left out, and the others keep their partners', () => {
    const [begin, ...rest] = sideBySide(
      [{ cores: 0.3 }, { cores: 0.4 }, { cores: 0.5 }],
      [{ cores: 0.3 }, { cores: 0.4 }, { cores: 0.5 }],
    )
    const unseen = rest.findIndex((record) => record.type === 'sample' && record.cell === 1)
    const gate = summarise([
      begin!,
      { type: 'gate', at: T0, bounds, earlier: null },
      ...rest.toSpliced(unseen, 1),
    ]).gate!
    expect(gate.verdicts[0]).toMatchObject({ measure: 'cpu', change: 0 })
  })

  test('CPU that no turn could tell from what n8n uses without requests leaves its bound open', () => {
    const { results } = summarise(sideBySide([{}, {}], [{}, {}]))
    const hidden = results.map((of) => ({
      ...of,
      turns: [{ repeat: 1, turn: 1, at: 0, before: 0, executed: 50, throughput: null, cpu: null }],
    }))
    const variants = results.map(({ variant }, at) => ({
      name: variant,
      values: {},
      ...(at > 0 && { beside: results[0]!.variant }),
    }))
    expect(gateOf({ bounds, earlier: null }, hidden, variants, 1000)!.verdicts[0]).toMatchObject({
      measure: 'cpu',
      verdict: 'unsure',
      without: 'cpu-unseen',
    })
  })

  test('memory that grows beyond its bound is worse', () => {
    expect(gated([{}, {}], [{ memory: 600 }, { memory: 602 }]).verdicts).toMatchObject([
      { verdict: 'passed' },
      { measure: 'memory', verdict: 'worse' },
    ])
  })

  test('not to sustain what the first sustains is worse', () => {
    const { verdicts } = gated([{}, {}], [{ because: ['errors'] }, { because: ['errors'] }])
    expect(verdicts).toMatchObject([
      {
        measure: 'capacity',
        verdict: 'worse',
        without: 'does-not-sustain',
        baseline: 'before',
      },
    ])
  })

  test('without a round that both sustained nothing can be said', () => {
    expect(gated([{ because: ['errors'] }], [{ because: ['errors'] }]).verdicts).toMatchObject([
      { verdict: 'unsure', without: 'no-common-round' },
    ])
  })
})
