import { quantile } from 'simple-statistics'
import {
  account,
  backlogGrowth,
  silences,
  uncounted,
  waitingOf,
  type Counts,
  type Known,
} from '../../../loadtests/src/judge/accounting.ts'
import { requestsDue } from '../../../loadtests/scenarios/schedule.ts'
import type { Ends, Tally } from '../../../loadtests/src/n8n/executions.ts'
import type { Executions, Sample } from '../../../loadtests/src/model/sample.ts'
import { sample } from '../fixtures/records.ts'
import type { Accounting } from '../../../loadtests/src/model/step.ts'

const counts = (started: number, succeeded: number, failed = 0): Counts => ({
  executions: { started, succeeded, failed },
  underWay: started - succeeded - failed,
  database: null,
  queue: null,
})
const load = { startedAt: 0, endedAt: 20_000, took: null }
const all = { success: true, error: true }
const known = (over: Pick<Known, 'accepted'> & Partial<Known>): Known => ({
  sent: over.accepted,
  before: counts(0, 0),
  after: counts(0, 0),
  tally: null,
  called: [{ id: 'a', kept: all, marked: true }],
  asked: 0,
  alone: true,
  ...over,
})

describe('accepted requests', () => {
  const after = (accepted: number, now: Counts, before = counts(50, 50)): Accounting =>
    account(known({ accepted, before, after: now }), [], load)

  test('are finished as far as n8n counts more successes than before', () => {
    expect(after(100, counts(150, 150))).toMatchObject({ accepted: 100, finished: 100, failed: 0, waiting: 0, lost: 0 })
  })

  test('may have failed', () => {
    expect(after(100, counts(150, 140, 10))).toMatchObject({ finished: 90, failed: 10, lost: 0 })
  })

  test('may wait still', () => {
    expect(after(100, counts(150, 110))).toMatchObject({ finished: 60, waiting: 40, lost: 0 })
  })

  test('are lost when the process that had them is gone, and the next knows nothing of them', () => {
    const restarted: Counts = { ...counts(150, 110), underWay: 0 }
    expect(after(100, restarted)).toMatchObject({ finished: 60, waiting: 0, lost: 40 })
  })

  test('are lost when n8n never began them', () => {
    expect(after(100, counts(80, 80))).toMatchObject({ finished: 30, lost: 70 })
  })

  test('are not covered for by executions that were under way before them', () => {
    const before = counts(60, 50)
    const gone: Counts = { ...counts(150, 150), underWay: 0 }
    expect(after(100, gone, before)).toMatchObject({ finished: 100, lost: 10 })
  })

  test('are never less than none, when more executions end than the generator heard of', () => {
    expect(after(100, counts(154, 154))).toMatchObject({ finished: 104, waiting: 0, lost: 0 })
  })

  test('are not finished by fewer than none, where the call that asked whether n8n is back died', () => {
    expect(after(7, counts(57, 49))).toMatchObject({ finished: 0 })
  })

  test('are not finished nor lost by those of others, whose number nobody knows', () => {
    const shared = (started: number) =>
      account(known({ accepted: 100, after: counts(started, started), alone: false }), [], load)
    expect(shared(100)).toMatchObject({ finished: 100, lost: 0 })
    expect(shared(101)).toMatchObject({ finished: null, failed: null, lost: null, waiting: 0 })
  })

  test('do not wait less than not at all, when a restarted n8n counts an end without a beginning', () => {
    expect(after(100, { ...counts(150, 150), underWay: -5 })).toMatchObject({ waiting: 0, lost: 0 })
  })
})

describe('executions of workers whose metrics count none', () => {
  const counted = (depth: { waiting: number; active: number }, open: number): Counts => ({
    ...counts(0, 0),
    database: { newest: 60, open },
    queue: { added: 60, keys: 0, ...depth },
  })

  test('wait as long as the queue has them', () => {
    expect(waitingOf(counted({ waiting: 1, active: 2 }, 3))).toBe(3)
  })

  test('are given up when only the database still has them', () => {
    expect(waitingOf(counted({ waiting: 0, active: 0 }, 3))).toBe(0)
  })
})

describe('the backlog', () => {
  /** One look a second at one process. */
  const looks = (executions: (second: number) => Partial<Executions>, over: Partial<Sample> = {}): Sample[] =>
    Array.from({ length: 21 }, (_, second) =>
      sample(0, second * 1000, { executions: { started: 0, succeeded: 0, failed: 0, ...executions(second) }, ...over }),
    )
  const growth = (samples: Sample[]) => backlogGrowth(samples, load)

  test('does not grow where executions end as fast as they begin', () => {
    expect(growth(looks((second) => ({ started: second * 50, succeeded: second * 50 })))).toBe(0)
  })

  test('grows by the share of those begun that did not end', () => {
    expect(growth(looks((second) => ({ started: second * 50, succeeded: second * 40 })))).toBeCloseTo(0.2)
  })

  test('is left to rise in the first half, in which executions that take their time fill it', () => {
    expect(growth(looks((second) => ({ started: second * 50, succeeded: Math.max(0, second - 5) * 50 })))).toBe(0)
  })

  test('counts executions that failed as ended', () => {
    expect(growth(looks((second) => ({ started: second * 50, succeeded: second * 40, failed: second * 10 })))).toBe(0)
  })

  test('that shrinks has not grown', () => {
    expect(growth(looks((second) => ({ started: 1000 + second, succeeded: second * 50 })))).toBe(0)
  })

  test('differs by a few between two looks without growing', () => {
    expect(growth(looks((second) => ({ started: second, succeeded: second - (second > 15 ? 1 : 0) })))).toBe(0)
    expect(growth(looks((second) => ({ started: second, succeeded: second - (second > 15 ? 3 : 0) })))).toBeGreaterThan(
      0,
    )
  })

  test('goes up and down without growing, however far', () => {
    expect(growth(looks((second) => ({ started: second * 50, succeeded: second * 50 - (second % 3) * 8 })))).toBe(0)
  })

  test('grows where it does so steadily, however slowly', () => {
    expect(growth(looks((second) => ({ started: second * 5, succeeded: second * 4.7 })))).toBeCloseTo(0.06)
  })

  /** Requests at random, of which at most so many a second begin at once; each takes so long from then on. */
  function arriving(rate: number, seconds: number, takes: () => number, most = Infinity, seed = 1): number | null {
    const stages = [{ rate, seconds }]
    const due = [...requestsDue({ from: rate, stages, arrivals: 'random', seed })].map(({ second }) => second)
    const taken = due.map(takes)
    let free = 0
    const ends = due.map((second, index) => (free = Math.max(free, second) + 1 / most) + taken[index]!)
    const count = (moments: number[], until: number) => moments.filter((moment) => moment <= until).length
    const samples = Array.from({ length: seconds + 1 }, (_, second) =>
      sample(0, second * 1000, {
        executions: { started: count(due, second), succeeded: count(ends, second), failed: 0 },
      }),
    )
    const took = 1000 * quantile(taken, 0.95)
    return backlogGrowth(samples, { startedAt: 0, endedAt: 1000 * seconds, arrivals: 'random', took })
  }
  const misses = (one: (seed: number) => number | null) =>
    Array.from({ length: 300 }, (_, seed) => one(seed) ?? 0).filter((growth) => growth > 0.05).length

  test('does not grow by the chance of random arrivals, which long executions do not even out', () => {
    const grew = misses((seed) => arriving(15, 10, () => 5, Infinity, seed))
    expect(grew).toBeLessThanOrEqual(2)
  })

  test('does not do so for executions that take all kinds of times', () => {
    let next = 0
    const kinds = [0.02, 5, 0.5, 5]
    expect(misses((seed) => arriving(15, 20, () => kinds[next++ % 4]!, Infinity, seed))).toBeLessThanOrEqual(2)
  })

  test('grows under random arrivals too where fewer begin than arrive, be they long or short', () => {
    expect(misses((seed) => arriving(15, 60, () => 5, 12, seed))).toBeGreaterThan(285)
    expect(misses((seed) => arriving(60, 20, () => 0.05, 50, seed))).toBeGreaterThan(285)
  })

  test('is that of all processes together', () => {
    const main = looks((second) => ({ started: second * 100, succeeded: second * 50 }), { process: 'main-0' })
    const worker = looks((second) => ({ started: second * 100, succeeded: second * 100 }), { process: 'worker-0' })
    expect(growth([...main, ...worker].sort((a, b) => a.at - b.at))).toBeCloseTo(0.25)
  })

  test('does not jump when a second process is first seen', () => {
    const main = looks((second) => ({ started: second * 50, succeeded: second * 50 }))
    const late = looks(() => ({ started: 500, succeeded: 0 }), { process: 'worker-0' }).slice(15)
    expect(growth([...main, ...late].sort((a, b) => a.at - b.at))).toBe(0)
  })

  test('is not known without two looks in the second half', () => {
    const all = looks((second) => ({ started: second, succeeded: 0 }))
    expect(growth([])).toBeNull()
    expect(growth(all.slice(0, 10))).toBeNull()
    expect(growth(all.slice(20))).toBeNull()
  })

  test('is not known of a load that ended early', () => {
    const all = looks((second) => ({ started: second * 50, succeeded: 0 }))
    expect(account(known({ accepted: 100, after: counts(100, 100) }), all, null).backlogGrowth).toBeNull()
  })

  test('is judged by the looks that got an answer', () => {
    const answered = looks((second) => ({ started: second * 50, succeeded: second * 40 }))
    const unanswered = answered.map((look, second) => (second % 2 ? { ...look, executions: null } : look))
    expect(growth(unanswered)).toBeCloseTo(0.2)
  })
})

describe('accepted requests, where the database tells', () => {
  const told = (ends: Partial<Ends>, over: Partial<Tally> = {}): Tally => ({
    by: { a: { finished: 0, failed: 0, crashed: 0, open: 0, unknown: 0, ...ends } },
    gone: 0,
    others: 0,
    names: { crashed: [], open: [] },
    ...over,
  })
  const after = (tally: Tally, over: Partial<Known> = {}): Accounting =>
    account(known({ accepted: 100, tally, ...over }), [], load)

  test('are finished, failed and waiting by its rows, whatever the metrics of dead processes say', () => {
    const now = { ...counts(0, 0), underWay: 7 }
    expect(after(told({ finished: 90, failed: 3, open: 7 }), { after: now })).toMatchObject({
      finished: 90,
      failed: 3,
      waiting: 7,
      lost: 0,
      lostExecutions: [],
    })
  })

  test('are lost by name when n8n says that they crashed', () => {
    const tally = told({ finished: 98, crashed: 2 }, { names: { crashed: ['41', '42'], open: [] } })
    expect(after(tally)).toMatchObject({ finished: 98, lost: 2, lostExecutions: ['41', '42'] })
  })

  test('are lost by name when they are open and no process is left that could end them', () => {
    const tally = told({ finished: 99, open: 1 }, { names: { crashed: [], open: ['41'] } })
    expect(after(tally)).toMatchObject({ finished: 99, waiting: 0, lost: 1, lostExecutions: ['41'] })
  })

  test('are lost without a name when n8n never began them', () => {
    expect(after(told({ finished: 97 }))).toMatchObject({ finished: 97, lost: 3, lostExecutions: [] })
  })

  test('are not finished by the lab’s own checks of n8n, which are among them or among those of others', () => {
    expect(after(told({ finished: 101 }), { asked: 1 })).toMatchObject({ finished: 100, lost: 0 })
    expect(after(told({ finished: 99 }, { others: 1 }), { asked: 1 })).toMatchObject({ finished: 99, lost: 1 })
  })

  test('are not finished by fewer than none, where the call that asked whether n8n is back died as well', () => {
    expect(after(told({ crashed: 8 }), { accepted: 7, asked: 1 })).toMatchObject({ finished: 0 })
  })

  describe('and n8n deletes the rows of those that it does not keep', () => {
    const keeping = (success: boolean, error: boolean, over: Partial<Known> = {}) => ({
      called: [{ id: 'a', kept: { success, error }, marked: true }],
      ...over,
    })

    test.each([
      ['finished, if it keeps those that fail', keeping(false, true), { finished: 80, failed: 0 }],
      ['failed, if it keeps those that end well', keeping(true, false), { finished: 0, failed: 80 }],
      ['unknown, if it keeps neither', keeping(false, false), { finished: 0, failed: 0, unknown: 80 }],
      ['unknown, if others have run', keeping(false, true, { alone: false }), { finished: 0, failed: 0, unknown: 80 }],
    ])('those without a row are %s', (_, over, outcome) => {
      expect(after(told({}, { gone: 80 }), over)).toMatchObject({ ...outcome, lost: 20 })
    })

    test('n8n’s metrics say how they ended, if they count the same', () => {
      const unknown = told({ finished: 5, unknown: 95 })
      expect(after(unknown, { after: counts(100, 70, 30) })).toMatchObject({ finished: 70, failed: 30 })
      expect(after(unknown, { after: counts(100, 70, 30) })).not.toHaveProperty('unknown')
      expect(after(unknown, { after: counts(100, 70, 20) })).toMatchObject({ finished: 5, failed: 0, unknown: 95 })
    })
  })
})

describe('a process', () => {
  const looks = (...answers: boolean[]): Sample[] =>
    answers.map((answered, second) =>
      sample(0, second * 1000, {
        process: 'worker-1',
        ...(answered ? { executions: { started: 0, succeeded: 0, failed: 0 } } : { executions: null, silent: true }),
      }),
    )
  const window = { startedAt: 0, endedAt: 8000 }

  test('that answered no look twice in a row was silent, until it answered or the load ended', () => {
    expect(silences(looks(true, false, false, false, true), window)).toEqual([{ process: 'worker-1', seconds: 3 }])
    expect(silences(looks(true, false, false), window)).toEqual([{ process: 'worker-1', seconds: 7 }])
  })

  test('may miss one look by chance', () => {
    expect(silences(looks(true, false, true, false, true), window)).toEqual([])
  })

  test('may be silent for less than a tenth of the load', () => {
    expect(silences(looks(true, false, false, false, true), { startedAt: 0, endedAt: 60_000 })).toEqual([])
  })

  test('that answers none leaves the backlog unknown, which is not none', () => {
    const main = Array.from({ length: 21 }, (_, second) =>
      sample(0, second * 1000, { executions: { started: second * 50, succeeded: second * 50, failed: 0 } }),
    )
    const silent = Array.from({ length: 21 }, (_, second) =>
      sample(0, second * 1000 + 1, { process: 'worker-1', executions: null, silent: true }),
    )
    const all = [...main, ...silent].sort((a, b) => a.at - b.at)
    expect(account(known({ accepted: 100 }), all, load)).toMatchObject({
      backlogGrowth: null,
      silent: [{ process: 'worker-1', seconds: 20 }],
    })
  })
})

test('of an n8n that nobody asked only what it accepted is known', () => {
  expect(uncounted(100)).toEqual({
    accepted: 100,
    finished: null,
    failed: null,
    waiting: null,
    lost: null,
    lostExecutions: [],
    backlogGrowth: null,
  })
})
