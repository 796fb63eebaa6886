import { gateOf } from '../../../loadtests/src/judge/gate.ts'
import { oneOf, ratiosOff } from '../../support/noise.ts'
import { normal, random } from '../../support/random.ts'
import type { Gate } from '../../../loadtests/src/model/gate.ts'
import type { Result } from '../../../loadtests/src/model/result.ts'

/** What the gate answers with the noise of real runs, many times over. */

const bounds = { capacity: 0.08, memory: 0.15, cpu: 0.08 }
const tries = 1000
/** Rounds of half a minute, with their start and warm-up, that the usual fifteen minutes have room for. */
const most = 10

const counted = (answer: (next: () => number) => string) => {
  const counts: Record<string, number> = { worse: 0, better: 0, passed: 0, unsure: 0 }
  for (let seed = 0; seed < tries; seed++) counts[answer(random(seed))]!++
  return Object.fromEntries(
    Object.entries(counts).map(([verdict, count]) => [verdict, (100 * count) / tries]),
  ) as Record<Gate['verdicts'][number]['verdict'], number>
}

describe('side by side, with the noise of pairs that docs/evidence/raw keeps', () => {
  const step = (repeat: number) => ({ purpose: 'measure', repeat, reasons: [], holds: true, load: { latency: null } })
  const took = (variant: string, cpuPerRequest: number[]): Result =>
    ({
      variant,
      workflow: 'x',
      cell: {},
      capacity: {},
      verdict: { reasons: [] },
      peaks: cpuPerRequest.map(() => 5e8),
      cpuPerRequest,
      steps: cpuPerRequest.map((_, index) => step(index + 1)),
    }) as unknown as Result
  const variants = [
    { name: 'before', values: {} },
    { name: 'after', values: {}, beside: 'before' },
  ]

  /** Rounds until there is an answer, or the time is over. */
  const answer = (more: number) => (next: () => number) => {
    const cpu: number[] = []
    for (;;) {
      cpu.push(0.03 * (1 + more) * Math.exp(oneOf(ratiosOff, next)))
      if (cpu.length < 3) continue
      const gate = gateOf(
        { bounds, earlier: null },
        [
          took(
            'before',
            cpu.map(() => 0.03),
          ),
          took('after', cpu),
        ],
        variants,
        null,
        true,
      )!
      const { verdict } = gate.verdicts.find(({ measure }) => measure === 'cpu')!
      if (verdict !== 'unsure' || cpu.length === most) return verdict
    }
  }

  test('the noise is that of several pairs', () => {
    expect(ratiosOff.length).toBeGreaterThanOrEqual(10)
  })

  test('15 % worse is flagged in at least 80 of 100, and passes in at most one', () => {
    const { worse, passed, better } = counted(answer(0.15))
    expect(worse).toBeGreaterThanOrEqual(80)
    expect(passed + better).toBeLessThanOrEqual(1)
  })

  test('a change at the bound itself passes in at most 7 of 100, although the gate looks after each round', () => {
    const { passed, better } = counted(answer(bounds.cpu))
    expect(passed + better).toBeLessThanOrEqual(7)
  })

  test('the same build is called worse in at most 2 of 100, and mostly passes', () => {
    const { worse, passed } = counted(answer(0))
    expect(worse).toBeLessThanOrEqual(2)
    expect(passed).toBeGreaterThanOrEqual(80)
  })
})

describe('by searches, whose repeats lie 7 to 29 % apart', () => {
  /** Three values of normal noise lie 1.69 standard deviations apart on average. */
  const repeats = (capacity: number, next: () => number) => {
    const off = (0.07 + 0.22 * next()) / 1.69
    return [1, 2, 3].map(() => capacity * Math.exp(off * normal(next)))
  }
  const measured = (capacities: number[]) => ({ variant: 'a', workflow: 'x', cell: {}, capacities, peaks: [] })
  const answer = (after: number) => (next: () => number) => {
    const earlier = { id: 'before', calibration: null, results: [measured(repeats(100, next))] }
    const now = { ...measured([]), capacity: { repeats: repeats(after, next) } } as unknown as Result
    return gateOf({ bounds, earlier }, [now], [], null)!.verdicts[0]!.verdict
  }

  test('15 % worse passes in at most one of 100', () => {
    const { passed, better } = counted(answer(85))
    expect(passed + better).toBeLessThanOrEqual(1)
  })

  test('the same build is called worse in at most 2 of 100', () => {
    expect(counted(answer(100)).worse).toBeLessThanOrEqual(2)
  })
})
