import { isValid } from '../../../loadtests/src/judge/capacity.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { slo, asked, latency, step, exited } from '../fixtures/judged.ts'

test('a step that does everything in time holds, without reasons', () => {
  expect(step()).toMatchObject({ holds: true, reasons: [] })
})

test('exactly the objective still holds', () => {
  expect(
    step({
      load: { failures: { status_5xx: 1 }, latency: latency(500) },
      accounting: { backlogGrowth: 0.05, failed: 1, waiting: 50 },
    }),
  ).toMatchObject({ holds: true })
})

test('every reason says what was, and what to change', () => {
  const { reasons } = step({
    load: { failures: { timeout: 500 }, latency: latency(900) },
    accounting: { failed: 20, lost: 3, backlogGrowth: 0.4 },
    exits: [
      exited({ reason: 'oom-killed' }),
      exited({ reason: 'heap-exhausted' }),
      exited({ reason: 'crashed', code: 1 }),
    ],
  })
  expect(reasons).toHaveLength(8)
  for (const { text, advice } of reasons) {
    expect(text).toMatch(/^\S.*\d.*\.$/)
    expect(advice).toMatch(/^[A-Z].*\.$/)
  }
})

describe('requests', () => {
  test('that failed too often break it, by what came back', () => {
    const { codes, reasons } = step({ load: { failures: { status_5xx: 12, refused: 3 } } })
    expect(codes).toEqual(['errors'])
    expect(reasons[0]!.text).toContain('1.5 % of 1000 requests failed (12 5xx, 3 refused), allowed are 0.10 %')
  })

  test('that were answered too late break it', () => {
    const { codes, reasons } = step({ load: { latency: latency(612) } })
    expect(codes).toEqual(['latency'])
    expect(reasons[0]!.text).toContain('within 612 ms, the objective is 500 ms')
  })

  test('that were never answered have no latency and break it all the same', () => {
    expect(
      step({
        load: { accepted: 0, failures: { timeout: asked }, latency: null },
        accounting: { accepted: 0, finished: 0 },
      }).codes,
    ).toEqual(['errors'])
  })
})

test('a step that is late while others had n8n’s cores says nothing of n8n, and one in time still holds', () => {
  const late = step({ load: { latency: latency(900) }, waited: 0.52 })
  expect(late.codes).toEqual(['machine-busy', 'latency'])
  expect(late.reasons[0]!.text).toBe('Others had n8n’s cores: it waited for one 52.0 % of the time.')
  expect(isValid(late)).toBe(false)
  expect(step({ waited: 0.52 }).holds).toBe(true)
})

describe('the generator', () => {
  const behind = ['generator-behind']

  const lag = { p95: 60, p99: 90, 'p99.9': 200 }

  test('that sent late itself, with clients free, is to blame for late answers', () => {
    const { codes, reasons } = step({ load: { arrivals: 'random', lag, latency: latency(900) } })
    expect(codes).toEqual(behind)
    expect(reasons[0]!.text).toContain('5 % of the requests 60 ms late or more')
  })

  test('that sent late itself does no harm where answers came in time', () => {
    expect(step({ load: { arrivals: 'random', lag } }).holds).toBe(true)
  })

  test('is named first where requests failed, too: a run that it spoilt says so', () => {
    const load = { arrivals: 'random', lag, latency: latency(900), failures: { other: 40 } } as const
    expect(step({ load }).codes).toEqual([...behind, 'errors'])
  })

  test('that was late by less than a tenth of the objective does no harm', () => {
    const own = { p95: 40, p99: 600, 'p99.9': 600 }
    expect(step({ load: { arrivals: 'random', lag: own, latency: latency(900) } }).codes).toEqual(['latency'])
  })

  test('is not to blame for requests that found no client free', () => {
    const load = { arrivals: 'random', lag: null, dropped: 40, latency: latency(2000) } as const
    expect(step({ load: { ...load, failures: { unsent: 40 } } }).codes).toEqual(['errors', 'latency'])
  })

  test('is not to blame for a busy core while it sends what a stall of n8n held up', () => {
    const load = { arrivals: 'random', lag: null, generatorCpu: 0.99, latency: latency(2000) } as const
    expect(step({ load }).codes).toEqual(['latency'])
  })

  test('without CPU to spare is the limit of clients that wait for their answers', () => {
    const { codes, reasons } = step({ load: { shape: 'closed', rate: null, vus: 64, generatorCpu: 0.97 } })
    expect(codes).toEqual(behind)
    expect(reasons[0]!.text).toContain('the generator’s limit')
    expect(step({ load: { shape: 'closed', rate: null, vus: 64, generatorCpu: 0.7 } }).holds).toBe(true)
  })

  test('shared its cores with others until they were full, so that a miss may be theirs', () => {
    const { codes, reasons } = step({ load: { coresBusy: 0.96, generatorCpu: 0.41, latency: latency(900) } })
    expect(codes).toEqual(behind)
    expect(reasons[0]!.text).toContain('busy for 96.0 % of the step, k6 for 41.0 %')
    expect(step({ load: { coresBusy: 0.96, generatorCpu: 0.41 } }).holds).toBe(true)
    expect(step({ load: { coresBusy: 0.8, latency: latency(900) } }).codes).toEqual(['latency'])
  })

  test('whose CPU is not known is believed', () => {
    expect(step({ load: { generatorCpu: null, latency: latency(900) } }).codes).toEqual(['latency'])
  })

  test('that sent nothing has shown nothing', () => {
    expect(
      step({ load: { requests: 0, accepted: 0, latency: null }, accounting: { accepted: 0, finished: 0 } }).codes,
    ).toEqual(behind)
  })

  test('is not to blame for what it could not send to a process that died', () => {
    const exits = [exited({ reason: 'oom-killed' })]
    expect(step({ load: { dropped: 40 }, exits }).codes).toEqual(['oom-killed'])
    expect(step({ load: { requests: 0, latency: null }, exits }).codes).toEqual(['oom-killed'])
  })
})

describe('executions', () => {
  test('that ended in an error too often break it', () => {
    expect(step({ accounting: { failed: 2 } }).codes).toEqual(['executions-failed'])
  })

  test('that begin faster than they end break it', () => {
    const { codes, reasons } = step({ accounting: { backlogGrowth: 0.31 } })
    expect(codes).toEqual(['backlog'])
    expect(reasons[0]!.text).toContain('31.0 %')
  })

  test('that are still under way after the wait break it, also where growth could not be seen', () => {
    expect(step({ accounting: { backlogGrowth: null, waiting: 200 } }).codes).toEqual(['backlog'])
  })

  test('that wait are told of in figures, even where nothing was accepted', () => {
    const { reasons } = step({ accounting: { accepted: 0, waiting: 2, backlogGrowth: null } })
    expect(reasons[0]!.text).not.toMatch(/NaN|Infinity/)
  })

  test('of which a single one is lost break it', () => {
    expect(step({ accounting: { lost: 1 } }).codes).toEqual(['executions-lost'])
  })
})

describe('a step that is too short for its executions', () => {
  const growing = { backlogGrowth: 0.9 }
  const judged = (seconds: number, ran: number | null) =>
    judge(
      {
        load: {
          shape: 'constant',
          rate: 10,
          vus: null,
          startedAt: 0,
          endedAt: seconds * 1000,
          requests: 10,
          accepted: 10,
          failures: {},
          dropped: 0,
          throughput: 10,
          latency: latency(80),
          generatorCpu: null,
        },
        accounting: { accepted: 10, finished: 10, failed: 0, waiting: 0, lost: 0, lostExecutions: [], ...growing },
        exits: [],
        limitOf: () => '',
        untuned: false,
        ran,
      },
      slo,
    ).reasons

  test('does not say that n8n falls behind: until the first ends, the number under way can only grow', () => {
    expect(judged(5, 5010)).toMatchObject([
      {
        code: 'too-short',
        text:
          'The step of 5.0 s was too short for executions of 5.0 s: the number under way rises until the '
          + 'first of them end.',
      },
    ])
  })

  test('is none of twice their time', () => {
    expect(judged(10, 5010)).toMatchObject([{ code: 'backlog' }])
  })

  test('is not assumed where nobody says how long they take, nor of executions slowed down in a long step', () => {
    expect(judged(5, null)).toMatchObject([{ code: 'backlog' }])
    expect(judged(60, 50_000)).toMatchObject([{ code: 'backlog' }])
  })
})
