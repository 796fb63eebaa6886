import { openHistory, type ListedExecution } from '../../../../loadtests/src/n8n/learn/history.ts'

const noon = Date.UTC(2026, 10, 16, 12)
const execution = (over: Partial<ListedExecution> & { at?: number; ran?: number } = {}): ListedExecution => {
  const { at = noon, ran = 100, ...rest } = over
  return {
    id: '1',
    workflowId: 'a',
    mode: 'webhook',
    status: 'success',
    startedAt: new Date(at).toISOString(),
    stoppedAt: new Date(at + ran).toISOString(),
    ...rest,
  }
}
function read(...executions: ListedExecution[]) {
  const history = openHistory()
  for (const one of executions) history.add(one)
  return history.read()
}

test('workflows come with how often they ran and failed, and how long they ran', () => {
  const { habits } = read(execution({ workflowId: 'b' }), execution(), execution({ status: 'error', ran: 300 }))
  expect(habits).toEqual([
    { workflow: 'a', executions: 2, failed: 1, ran: { p50: 300, p95: 300 } },
    { workflow: 'b', executions: 1, failed: 0, ran: { p50: 100, p95: 100 } },
  ])
})

test('the busiest minute is that of the clock, and of minutes alike the first', () => {
  const at = (seconds: number) => execution({ at: noon + seconds * 1000 })
  expect(read(at(59), at(60), at(119), at(200), at(210)).peak).toEqual({ at: noon + 60_000, executions: 2 })
})

test('executions that began otherwise are counted by themselves', () => {
  const { habits, others, peak } = read(
    execution({ mode: 'trigger' }),
    execution({ mode: 'trigger' }),
    execution({ mode: 'integrated' }),
  )
  expect({ habits, others, peak }).toEqual({ habits: [], others: { trigger: 2, integrated: 1 }, peak: null })
})

test('n8n 0.x tells a failure by what did not finish and yet stopped', () => {
  const { habits } = read(
    execution({ status: undefined, finished: false }),
    execution({ status: undefined, finished: true }),
    execution({ status: undefined, finished: false, stoppedAt: null }),
  )
  expect(habits[0]).toMatchObject({ executions: 3, failed: 1 })
})

test('one that has not begun is none', () => {
  expect(read(execution({ startedAt: null, status: 'new' })).habits).toEqual([])
})

describe('the busiest hour of a week', () => {
  const hour = 3_600_000
  // Noon of a Monday. One execution an hour, for weeks.
  const usual = (weeks: number) =>
    Array.from({ length: 168 * weeks + 1 }, (_, index) => execution({ at: noon + index * hour }))
  const busy = (...hours: number[]) =>
    hours.flatMap((one) => Array.from({ length: 9 }, (_, index) => execution({ at: noon + one * hour + index * 1000 })))

  test('is one that is busy each week', () => {
    const { weekly } = read(...usual(3), ...busy(20, 168 + 20, 336 + 20))
    expect(weekly).toMatchObject({ day: 2, hour: 8, executions: 10 })
    expect(weekly!.times).toBeCloseTo(10 / (1 + 9 / 168), 1)
  })

  test.each([
    ['that was busy once', [...usual(3), ...busy(20)]],
    ['where all are alike', usual(3)],
    ['of less than two weeks', [...usual(1), ...busy(20)]],
  ])('is none %s', (_, executions) => {
    expect(read(...executions).weekly).toBeNull()
  })
})
