import { recommend } from '../../../loadtests/src/judge/recommendation.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Recommendation, Summary } from '../../../loadtests/src/model/summary.ts'
import { whyRecommended } from '../../../loadtests/src/report/recommended.ts'
import { cell, end, run, step, tiers } from '../fixtures/records.ts'
import { tiersRun, tuneRun } from '../fixtures/runs.ts'
import type { ReasonCode } from '../../../loadtests/src/model/step.ts'
import type { Experiment } from '../../../loadtests/src/model/experiment.ts'

/** Rates by variant and workflow; null is killed for memory, undefined not measured. */
type Rates = Record<string, Record<string, number | null>>

const withWhy = (summary: Summary) =>
  summary.recommendation && { ...summary.recommendation, why: whyRecommended(summary) }

function recommended(rates: Rates, over: Partial<Experiment> = {}): (Recommendation & { why: string }) | null {
  const workflows = [...new Set(Object.values(rates).flatMap(Object.keys))]
  const variants = Object.keys(rates).map((name) => ({ name, values: { of: { [name]: true } } }))
  const cells = Object.entries(rates).flatMap(([variant, own], v) =>
    Object.entries(own).flatMap(([workflow, rate], w) => {
      const index = v * 10 + w
      return [
        cell(index, { variant, workflow }),
        ...(rate === null
          ? [step(index, 5, { because: ['oom-killed'] })]
          : over.load?.shape === 'constant'
            ? [step(index, rate)]
            : searched(index, rate)),
      ]
    }),
  )
  return withWhy(summarise([run({ experiment: { variants, workflows, ...over } }), ...cells, end()]))
}

/** As well known as a few steps can tell it. */
const searched = (index: number, rate: number) => [
  ...[0.8, 0.9, 0.95, 1].map((share) => step(index, share * rate)),
  ...[1.05, 1.1, 1.2].map((share) => step(index, share * rate, { because: ['latency'] })),
]

test('takes the variant that sustains the most over all workflows', () => {
  expect(recommended({ a: { x: 10, y: 10 }, b: { x: 40, y: 11 }, c: { x: 20, y: 20 } })).toMatchObject({ variant: 'b' })
})

test('does not take one that is worse than the first under any workflow', () => {
  expect(recommended({ a: { x: 10, y: 10 }, b: { x: 1000, y: 5 }, c: { x: 20, y: 20 } })).toMatchObject({
    variant: 'c',
  })
})

test('allows what is worse by less than the noise', () => {
  expect(recommended({ a: { x: 10, y: 100 }, b: { x: 100, y: 97 } })).toMatchObject({ variant: 'b' })
})

test('stays with the first where nothing is better', () => {
  const recommendation = recommended({ a: { x: 20, y: 20 }, b: { x: 30, y: 2 } })
  expect(recommendation).toMatchObject({ variant: 'a' })
  expect(recommendation?.why).toContain('Every other candidate')
})

test.each([
  ['unsure', null],
  ['worse', { variant: 'n8n-defaults' }],
] as const)(
  'the first is recommended for a higher figure only where the other is found worse: %s',
  (finding, expected) => {
    const variants = ['n8n-defaults', 'tuned'].map((name) => ({ name, values: {} }))
    const { results, experiment, comparison } = summarise([
      run({ experiment: { variants, workflows: ['x'] } }),
      cell(0, { variant: 'n8n-defaults', workflow: 'x' }),
      step(0, 44),
      cell(1, { variant: 'tuned', workflow: 'x' }),
      step(1, 20),
      end(),
    ])
    const found = recommend(
      results,
      experiment,
      comparison.map((one) => ({ ...one, finding })),
    )
    if (expected) expect(found).toMatchObject(expected)
    else expect(found).toBeNull()
  },
)

test('prefers one that sustains every workflow', () => {
  expect(recommended({ a: { x: 10, y: null }, b: { x: 100, y: null }, c: { x: 20, y: 5 } })).toMatchObject({
    variant: 'c',
  })
})

test('gives every workflow its own figure, and what happened to the first', () => {
  expect(recommended({ a: { x: null, y: 19 }, b: { x: 118, y: 104 } })?.why).toBe(
    'b sustains 118/s of x and 104/s of y. a sustains 19/s of y and was killed for memory at 5/s under x.',
  )
})

test('is nothing where nothing met the objective', () => {
  expect(recommended({ a: { x: null }, b: { x: null } })).toBeNull()
})

test('is nothing where the rivals were not measured', () => {
  const variants = [
    { name: 'a', values: {} },
    { name: 'b', values: {} },
  ]
  expect(recommended({ a: { x: 10 } }, { variants })).toBeNull()
})

test('of one configuration is that one', () => {
  expect(recommended({ a: { x: 10 } })).toMatchObject({ variant: 'a', why: 'a sustains 10/s of x.' })
})

describe('where the rate is given, the price decides', () => {
  const load: Experiment['load'] = { shape: 'constant', rate: 50, duration: 40, timeout: 30 }
  const matrix = { size: [1, 2, 3] }
  const sizes = (...told: { cost: number | null; seconds?: number; because?: ReasonCode[] }[]) =>
    withWhy(
      summarise([
        run({ experiment: { load, matrix, variants: [{ name: 'v', values: {} }] } }),
        ...told.flatMap(({ cost, seconds = 40, because }, index) => [
          cell(index, { variant: 'v', matrix: { size: index + 1 }, cost }),
          step(index, 50, { seconds, because }),
        ]),
        end(),
      ]),
    )

  test('among those that hold', () => {
    expect(sizes({ cost: 1, because: ['latency'] }, { cost: 3 }, { cost: 2 })).toMatchObject({
      cell: { size: 3 },
      why: expect.stringContaining('It costs 2: of 3 configurations, which cost between 1 and 3, the cheapest'),
    })
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
      ...held.map((holds, round) =>
        step(index, 50, { repeat: round + 1, seconds: 5 * 2 ** round, because: holds ? [] : ['latency'] }),
      ),
    ]
    const sized = (...records: ReturnType<typeof looks>) =>
      summarise([run({ experiment: { load, matrix, variants: [{ name: 'v', values: {} }] } }), ...records, end()])
        .recommendation
    expect(sized(...looks(0, 1, false, true, true, true), ...looks(1, 2, true, true, true, true))).toMatchObject({
      cell: { size: 1 },
    })
    expect(sized(...looks(0, 1, true, true, true, false), ...looks(1, 2, true, true, true, true))).toMatchObject({
      cell: { size: 2 },
    })
  })

  test('unless something has none', () => {
    expect(sizes({ cost: 2 }, { cost: 1 }, { cost: null })).toMatchObject({ cell: { size: 1 } })
  })
})

describe('where the variants are tiers', () => {
  const ofTiers = (rates: Record<string, number | null>, need?: number, over: Partial<Experiment> = {}) =>
    recommended(Object.fromEntries(Object.entries(rates).map(([tier, x]) => [tier, { x }])), {
      ...(need !== undefined && { need }),
      ...over,
    })
  const all = { 'n8n-defaults': 10, tuned: 60, lean: 80, patched: 200 }

  test.each([
    [5, 'n8n-defaults'],
    [50, 'tuned'],
    [65, 'lean'],
    [100, 'patched'],
  ])('for %d/s it is the one that gives up least and sustains it: %s', (need, variant) => {
    expect(ofTiers(all, need)).toMatchObject({ variant })
  })

  test('it has to sustain the rate under every workflow', () => {
    const rates = { tuned: { x: 60, y: 20 }, patched: { x: 200, y: 60 } }
    expect(recommended(rates, { need: 50 })).toMatchObject({ variant: 'patched' })
  })

  test('it is none where none sustains the rate', () => {
    expect(ofTiers(all, 500)).toBeNull()
  })

  test('without a rate it gives up nothing, and says what the others would sustain and give up', () => {
    const recommendation = ofTiers(all)!
    expect(recommendation.variant).toBe('tuned')
    expect(recommendation.why).toBe(
      'tuned sustains 60/s of x. n8n-defaults sustains 10/s of x. '
        + 'lean would sustain 80/s of x. With it you lose the history of successful executions and the insights page. '
        + ('patched would sustain 200/s of x. With it you lose the history of successful executions, the insights '
          + 'page and n8n’s own code unchanged.'),
    )
  })

  test('nor does it without a rate where nothing that gives up nothing meets the objective', () => {
    expect(ofTiers({ 'n8n-defaults': null, tuned: null, patched: 200 })).toBeNull()
  })

  test('a rate that sustains patches along says what that gives up', () => {
    expect(ofTiers(all, 100)!.why).toBe(
      'patched has the smallest trade-off of those that sustain 100/s of every workflow. '
        + ('patched sustains 200/s of x. With it you lose the history of successful executions, the insights page '
          + 'and n8n’s own code unchanged. n8n-defaults sustains 10/s of x.'),
    )
  })

  test('a load at a given rate asks for that rate', () => {
    const load: Experiment['load'] = { shape: 'constant', rate: 50, duration: 10, timeout: 30 }
    expect(ofTiers({ 'n8n-defaults': null, tuned: null, patched: 50 }, undefined, { load })).toMatchObject({
      variant: 'patched',
    })
    const recommendation = ofTiers({ 'n8n-defaults': 50, tuned: 50, patched: 50 }, undefined, { load })
    expect(recommendation).toMatchObject({ variant: 'n8n-defaults', why: 'n8n-defaults sustains 50/s of x.' })
  })

  test('trust in the editors comes after every tier, and only when a rate asks for it', () => {
    const cells = (need?: number) =>
      summarise([
        run({
          experiment: {
            variants: ['tuned', 'trusting', 'patched'].map((name) => ({ name, values: {} })),
            ...(need !== undefined && { need }),
          },
        }),
        cell(0, { variant: 'tuned' }),
        step(0, 20),
        cell(1, { variant: 'trusting', tier: tiers.tuned, values: { tuning: { trustEditors: true } } }),
        step(1, 90),
        cell(2, { variant: 'patched' }),
        step(2, 60),
        end(),
      ]).recommendation
    expect(cells()).toMatchObject({ variant: 'tuned' })
    expect(cells(50)).toMatchObject({ variant: 'patched' })
    expect(cells(70)).toMatchObject({ variant: 'trusting' })
  })

  test('single patches count as patches, whatever the tier is called', () => {
    const patches = ['fewerQueries']
    const { recommendation } = summarise([
      run({
        experiment: {
          variants: [
            { name: 'plain', values: {} },
            { name: 'one-patch', values: {} },
          ],
        },
      }),
      cell(0, { variant: 'plain', tier: tiers.tuned }),
      step(0, 20),
      cell(1, { variant: 'one-patch', tier: { ...tiers.tuned!, patches } }),
      step(1, 90),
      end(),
    ])
    expect(recommendation).toMatchObject({ variant: 'plain' })
  })

  test('the rate may be asked of a run that was measured already', () => {
    const records = tiersRun()
    expect(summarise(records).recommendation).toMatchObject({ variant: 'tuned' })
    expect(summarise(records, { need: 120 })).toMatchObject({
      experiment: { need: 120 },
      recommendation: { variant: 'patched' },
    })
  })
})

test('is nothing where settings were left out to find their worth', () => {
  expect(summarise(tuneRun()).recommendation).toBeNull()
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
