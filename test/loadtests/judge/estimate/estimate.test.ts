import { estimateOf } from '../../../../loadtests/src/judge/estimate/estimate.ts'
import { machine, type Machine } from '../../../support/synthetic/machine.ts'
import { slo } from '../../../support/synthetic/points.ts'
import { simulate } from '../../../support/synthetic/simulate.ts'

/** What the steps of a search at these rates leave, without the search. */
async function seen(of: Partial<Machine>, rates: number[], seed = 1) {
  const { measure, steps, samples } = simulate((clock) => machine(of)(clock, seed), slo, { arrivals: 'random', seed })
  for (const clients of [8, 16, 16])
    await measure({ kind: 'closed', vus: clients }, 5, { purpose: 'warm-up', endOnExit: true })
  for (const rate of rates) await measure({ kind: 'constant', rate }, 20, { purpose: 'measure', endOnExit: true })
  return { steps, samples, slo }
}

const inTurn: Partial<Machine> = { uneven: 0.3 }

test('the demand of an execution is found, with its range', async () => {
  const { demand } = estimateOf(await seen(inTurn, [10, 11, 12]))!
  expect(demand!.low).toBeLessThan(0.06)
  expect(demand!.high).toBeGreaterThan(0.06)
  expect(demand!.high / demand!.low).toBeLessThan(1.25)
})

test('two workers use two cores when they are full', async () => {
  const { cores, throughput } = estimateOf(await seen({ uneven: 0.6, demand: 0.11, pieces: 3, workers: 2 }, [10, 11]))!
  expect(cores).toBeCloseTo(2, 1)
  expect(throughput).toBeCloseTo(18.2, -1)
})

test('the safe rate is below all of the interval, and more steps narrow it', async () => {
  const [few, many] = [await seen(inTurn, [11]), await seen(inTurn, [11, 12, 12, 12])].map((all) => estimateOf(all)!)
  for (const { safe, capacity } of [few!, many!]) expect(safe.rate).toBeLessThan(capacity.low)
  const width = ({ capacity }: NonNullable<typeof few>) => capacity.high / capacity.low
  expect(width(many!)).toBeLessThan(width(few!))
})

test.each<[sign: string, of: Partial<Machine>, rates: number[]]>([
  ['answers-before-work', { uneven: 0.6, demand: 0.05, leak: true }, [17, 18, 19]],
  ['death', { demand: 0.02, wait: 5, leak: true, room: 60 }, [5, 14, 16]],
  ['pauses', { uneven: 0.3, demand: 0.02, pieces: 1, wait: 0, stallEvery: 10, stallFor: 0.7 }, [25, 27, 28, 28]],
  ['not-cpu', { demand: 0.03, pieces: 4, second: 0.065 }, [10, 11]],
  ['long-request', { demand: 0.15 }, [2, 2.5]],
])('%s is found on an n8n made so', async (sign, of, rates) => {
  expect(estimateOf(await seen(of, rates))!.signs).toContain(sign)
})

test.each(['death', 'answers-before-work'])('with the sign %s the interval rests on the steps', async (sign) => {
  const of = sign === 'death' ? { demand: 0.02, wait: 5, leak: true, room: 60 } : { demand: 0.05, leak: true }
  const estimate = estimateOf(await seen(of, sign === 'death' ? [5, 14, 16] : [17, 18, 19]))!
  expect(estimate.basis).toBe('steps')
})

test('an n8n of which no CPU time is known has an interval from its steps', async () => {
  const { steps } = await seen(inTurn, [8, 14])
  expect(estimateOf({ steps, samples: [], slo })).toMatchObject({
    basis: 'steps',
    demand: null,
    signs: ['few-answers'],
  })
})

test('even arrivals say nothing of callers who come at random', async () => {
  const { steps, ...rest } = await seen(inTurn, [10])
  const even = steps.map((step) => ({ ...step, load: { ...step.load, arrivals: 'even' as const } }))
  expect(estimateOf({ steps: even, ...rest })!.basis).toBe('steps')
})

test('a rate that held far above the queue refutes it: the interval rests on the steps', async () => {
  const { steps, ...rest } = await seen(inTurn, [10, 11, 12])
  const { basis, capacity } = estimateOf({ steps, ...rest })!
  expect(basis).toBe('model')
  const last = steps.findLast(({ holds }) => holds)!
  // Even arrivals tell the queue nothing, so it stays as it is.
  const heldAt = (rate: number) => {
    const held = { ...last, load: { ...last.load, rate, arrivals: 'even' as const } }
    return estimateOf({ steps: [...steps, held], ...rest })!
  }
  expect(heldAt(1.1 * capacity.high).basis).toBe('model')
  const refuted = heldAt(1.6 * capacity.high)
  expect(refuted.basis).toBe('steps')
  expect(refuted.capacity.high).toBeGreaterThan(1.6 * capacity.high)
})

test('a stricter objective has a smaller capacity, p99 too', async () => {
  const all = await seen(inTurn, [10, 11, 12])
  const at = (other: object) => estimateOf({ ...all, slo: { ...slo, ...other } })!.capacity.rate
  expect(at({ p95: 300 })).toBeLessThan(at({}))
  expect(at({ p99: 500 })).toBeLessThan(at({}))
})

test.each([
  ['the generator fell behind', ['generator-behind']],
  ['others had n8n’s cores', ['machine-busy', 'latency']],
])('steps in which %s say nothing, and leave no interval', async (_, codes) => {
  const { steps, samples } = await seen(inTurn, [8])
  const spoiled = steps.map(
    (step) => ({ ...step, holds: false, reasons: codes.map((code) => ({ code })) }) as typeof step,
  )
  expect(estimateOf({ steps: spoiled, samples, slo })).toBeNull()
})
