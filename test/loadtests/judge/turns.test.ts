import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { turnsOf, turnsTogether } from '../../../loadtests/src/judge/turns.ts'
import { comparisonInWords } from '../../../loadtests/src/report/comparison-words.ts'
import type { Executions } from '../../../loadtests/src/model/sample.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { cell, end, run, sample, step, T0 } from '../fixtures/records.ts'

/** Of each turn. */
const seconds = 10

/** What a turn is: the machine's pace, and the CPU that an execution takes at a pace of 1. */
interface Turn {
  pace: number
  cpu: number
}

/** When a turn begins: the two take turns A B B A. */
const startOf = (number: number, isSecond: boolean) =>
  T0 + (2 * number + Number(isSecond !== number % 2 > 0)) * 16_000 + 5000

/** An n8n that idles at 0.03 cores, and has clients that wait in each of its turns. */
function taking(index: number, turns: Turn[], isSecond = false): RunRecord[] {
  let before = 9
  return turns.flatMap(({ pace, cpu }, number) => {
    const startedAt = startOf(number, isSecond)
    const throughput = (0.9 * pace) / cpu
    const executedAt = (at: number) =>
      before + Math.round((throughput * Math.max(0, Math.min(at - startedAt, seconds * 1000))) / 1000)
    const looks = Array.from({ length: seconds + 6 }, (_, second) => {
      const at = startedAt - 2500 + second * 1000
      const share = Math.max(0, Math.min(at, startedAt + seconds * 1000) - Math.max(at - 1000, startedAt)) / 1000
      const executed = executedAt(at)
      return sample(index, at, {
        cpu: 0.03 + share * 0.9,
        executions: { started: executed, succeeded: executed, failed: 0 },
      })
    })
    before = executedAt(Infinity)
    return [...looks, step(index, null, { turn: number + 1, purpose: 'full', startedAt, seconds, throughput })]
  })
}

/** The machine halves its pace while they take turns. */
const paceAt = (number: number, isSecond: boolean) =>
  1 - (0.5 * (startOf(number, isSecond) - T0)) / (startOf(10, false) - T0)
const both = (one: number, other: number, off = 0) =>
  [one, other].flatMap((cpu, index) => [
    cell(index, { variant: ['n8n-defaults', 'tuned'][index]! }),
    ...taking(
      index,
      Array.from({ length: 10 }, (_, number) => ({
        pace: paceAt(number, index > 0),
        cpu: cpu * (1 + index * off * (number % 2 ? 1 : -1)),
      })),
      index > 0,
    ),
  ])
const summaryOf = (records: RunRecord[]) => summarise([run(), ...records, end()])
const compared = (records: RunRecord[]) => summaryOf(records).comparison[0]!

test('the CPU of an execution is what its turn used, without what n8n uses when idle', () => {
  const records = taking(0, [{ pace: 1, cpu: 0.06 }])
  const [turn] = turnsOf(
    records.filter((record) => record.type === 'sample'),
    records.filter((record) => record.type === 'step'),
  )
  expect(turn!.cpu).toBeCloseTo(0.06, 3)
  expect(turn!.throughput).toBeCloseTo(15, 1)
})

test('two that take turns differ by what n8n takes, although the machine halved its pace', () => {
  const { cpu, throughput, finding, by } = compared(both(0.06, 0.048, 0.01))
  expect(cpu!.ratio).toBeCloseTo(0.8, 1)
  expect(cpu!.high).toBeLessThan(0.88)
  expect(throughput!.ratio).toBeCloseTo(1.25, 1)
  expect({ finding, by }).toEqual({ finding: 'better', by: 'throughput' })
})

test('where turns tell which is better and what they sustain does not, the sentence says by what', () => {
  const summary = summaryOf([...both(0.06, 0.048, 0.01), step(0, 10), step(1, 11)])
  expect(summary.comparison).toMatchObject([{ finding: 'better', by: 'throughput' }])
  const text = comparisonInWords(summary.comparison[0]!, summary)
  expect(text).toMatch(/^tuned is better than n8n-defaults: 1\.2\d* times \(1\.[12]\d* to 1\.3\d*\) the throughput/)
  expect(text).toMatch(/ when full; 0\.[78]\d* times \(.*\) the CPU an execution; /)
})

test('what needs more is worse', () => {
  expect(compared(both(0.048, 0.06, 0.01)).finding).toBe('worse')
})

test('the same n8n twice is called the same, and the range says how far', () => {
  const { cpu, finding, by } = compared(both(0.06, 0.06, 0.01))
  expect(finding).toBe('same')
  expect(by).toBeUndefined()
  expect(cpu!.low).toBeLessThan(1)
  expect(cpu!.high).toBeGreaterThan(1)
})

test('turns that disagree leave it open', () => {
  expect(compared(both(0.06, 0.058, 0.2)).finding).toBe('unsure')
})

test('what both do at a rate of their own tells the CPU of an execution too, and no throughput', () => {
  const paced = both(0.06, 0.048).map((record) =>
    record.type === 'step' ? { ...record, purpose: 'measure' as const } : record,
  )
  const { cpu, throughput } = compared(paced)
  expect(cpu!.ratio).toBeCloseTo(0.8, 1)
  expect(throughput).toBeUndefined()
})

test('a turn without a partner does not count, nor do those in which either was cold', () => {
  const coldAtFirst = (cpu: number) =>
    Array.from({ length: 10 }, (_, number) => ({ pace: 1, cpu: number < 3 ? 2 * cpu : cpu }))
  const records = [
    cell(0, { variant: 'n8n-defaults' }),
    ...taking(0, coldAtFirst(0.06)),
    cell(1, { variant: 'tuned' }),
    ...taking(1, coldAtFirst(0.06).slice(0, 9), true),
  ]
  const [one, other] = summaryOf(records).results
  const [turns] = turnsTogether(one!, other!, 'cpu')
  expect(turns!.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual(
    [3, 4, 5, 6, 7, 8]
      .flatMap((number) => [false, true].map((isSecond) => startOf(number, isSecond) + (seconds * 1000) / 2))
      .toSorted((a, b) => a - b),
  )
})

test.each([
  ['counts anew', 0],
  ['goes on with its counts', 8],
])('what n8n uses while it starts again after a death is not what it uses when idle: it %s', (_, before) => {
  const records = taking(0, [{ pace: 1, cpu: 0.06 }])
  const starting = Array.from({ length: 20 }, (_, second) =>
    sample(0, T0 - 25_000 + second * 1000, {
      cpu: 1,
      executions: second < 5 ? null : { started: before, succeeded: Math.max(0, before - 2), failed: 0 },
    }),
  )
  // The death lost two of them.
  const losing = ({ started, succeeded, failed }: Executions) => ({ started, succeeded: succeeded - 2, failed })
  const [turn] = turnsOf(
    [
      ...starting,
      ...records.flatMap((record) =>
        record.type === 'sample' ? [{ ...record, executions: losing(record.executions!) }] : [],
      ),
    ],
    records.filter((record) => record.type === 'step'),
  )
  expect(turn!.cpu).toBeCloseTo(0.06, 3)
})

test('an n8n that is full tells its counts late, and is not taken for one that executes nothing', () => {
  const records = taking(0, [{ pace: 1, cpu: 0.06 }])
  const late = Array.from({ length: 20 }, (_, second) =>
    sample(0, T0 - 25_000 + second * 1000, {
      cpu: 0.95,
      executions: { started: second >> 1, succeeded: second >> 1, failed: 0 },
    }),
  )
  const [turn] = turnsOf(
    [...late, ...records.filter((record) => record.type === 'sample')],
    records.filter((record) => record.type === 'step'),
  )
  expect(turn!.cpu).toBeCloseTo(0.06, 3)
})
