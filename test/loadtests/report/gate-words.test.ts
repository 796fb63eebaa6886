import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { machinesInWords, verdictInWords } from '../../../loadtests/src/report/gate-words.ts'
import type { Gate, GateVerdict } from '../../../loadtests/src/model/gate.ts'
import { T0 } from '../fixtures/records.ts'
import { sideBySide, type Took } from '../fixtures/rounds.ts'

const bounds = { capacity: 0.08, memory: 0.15, cpu: 0.08 }
const gate: Gate = { bounds, against: 'before', verdicts: [], apart: null }
const capacity: GateVerdict = {
  variant: 'a',
  workflow: 'x',
  cell: {},
  baseline: null,
  measure: 'capacity',
  bound: 0.08,
  was: 100,
  now: 80,
  change: -0.2,
  within: 0.02,
  verdict: 'worse',
  without: null,
}
const bare = { was: null, now: null, change: null, within: null, verdict: 'unsure' } as const

test.each<[string, Partial<GateVerdict>]>([
  ['x, a: capacity 80/s, was 100/s (−20 %, ± 2 %): beyond the bound of 8 %.', {}],
  [
    'x, a: capacity 80/s, was 100/s (−20 %, one run): what it may be off by is not known of one run.',
    { within: null, verdict: 'unsure' },
  ],
  [
    'x, a: capacity 80/s, was 100/s (−20 %, ± 30 %): whether that is beyond the bound of 8 % cannot be said.',
    { within: 0.3, verdict: 'unsure' },
  ],
  [
    'x, a: capacity 99/s, was 100/s (−1 %, ± 2 %): no worse beyond the bound of 8 %.',
    { now: 99, change: -0.01, verdict: 'passed' },
  ],
  ['x, a: capacity 120/s, was 100/s (+20 %, ± 2 %): better.', { now: 120, change: 0.2, verdict: 'better' }],
  [
    'x, a: memory 600 MiB, was 500 MiB (+20 %, ± 2 %): beyond the bound of 15 %.',
    { measure: 'memory', bound: 0.15, was: 500 * 2 ** 20, now: 600 * 2 ** 20, change: 0.2 },
  ],
  [
    'x, a: CPU a request 9.24 ms, was 8 ms (+15 %, ± 2 %): beyond the bound of 8 %.',
    { measure: 'cpu', was: 0.008, now: 0.00924, change: 0.15 },
  ],
  ['x, a sustains nothing, where 100/s was sustained.', { now: null, change: -1, without: 'sustains-nothing' }],
  ['x, a: the earlier run has no result to compare with.', { ...bare, without: 'no-counterpart' }],
  ['x, a: b has no result to compare with.', { ...bare, baseline: 'b', without: 'no-counterpart' }],
  ['x, a: no round was sustained by both.', { ...bare, without: 'no-common-round' }],
  [
    'x, a: no turn tells the CPU of requests from n8n’s own use. A higher --rate may show it.',
    { ...bare, measure: 'cpu', without: 'cpu-unseen' },
  ],
])('%s', (said, over) => {
  expect(verdictInWords({ ...capacity, ...over }, gate)).toBe(said)
})

test('what differs between two machines decides nothing', () => {
  const elsewhere = { ...gate, apart: -0.2 }
  expect(machinesInWords(elsewhere)).toBe(
    'A bare Node server answers 20 % less here than where before was measured: the machines differ, and the '
      + 'comparison says little.',
  )
  expect(verdictInWords({ ...capacity, verdict: 'unsure' }, elsewhere)).toContain(
    ': the machines differ, so that decides nothing.',
  )
  expect(machinesInWords(gate)).toBeNull()
})

test('of an n8n that does not sustain the load, what became of it is said', () => {
  const failed: Took = { because: ['errors'] }
  const [begin, ...rest] = sideBySide([{}, {}], [failed, failed])
  const { gate: asked, results } = summarise([begin!, { type: 'gate', at: T0, bounds, earlier: null }, ...rest])
  expect(asked!.verdicts.map((one) => verdictInWords(one, asked!, results))).toEqual([
    'ping-webhook, after answered with errors at 50/s, where before sustains it.',
  ])
})
