import { isValid } from '../../../loadtests/src/judge/reasons.ts'
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

test('every reason against it is found', () => {
  const { codes } = step({
    load: { failures: { timeout: 500 }, latency: latency(900) },
    accounting: { failed: 20, lost: 3, backlogGrowth: 0.4 },
    exits: [
      exited({ reason: 'oom-killed' }),
      exited({ reason: 'heap-exhausted' }),
      exited({ reason: 'crashed', code: 1 }),
    ],
  })
  expect(codes).toEqual([
    'oom-killed',
    'heap-exhausted',
    'crashed',
    'errors',
    'latency',
    'executions-failed',
    'backlog',
    'executions-lost',
  ])
})

describe('requests', () => {
  test('that failed too often break it, by what came back', () => {
    const failures = { status_5xx: 12, refused: 3 }
    expect(step({ load: { failures } }).reasons).toMatchObject([
      { code: 'errors', share: 0.015, requests: asked, failures, bound: 0.001 },
    ])
  })

  test('that were answered too late break it', () => {
    expect(step({ load: { latency: latency(612) } }).reasons).toMatchObject([
      { code: 'latency', share: 0.95, taken: 612, bound: 500 },
    ])
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
  expect(late.reasons[0]).toEqual({ code: 'machine-busy', waited: 0.52 })
  expect(isValid(late)).toBe(false)
  expect(step({ waited: 0.52 }).holds).toBe(true)
})

describe('the generator', () => {
  const behind = ['generator-behind']

  const lag = { p95: 60, p99: 90, 'p99.9': 200 }

  test('that sent late itself, with clients free, is to blame for late answers', () => {
    expect(step({ load: { arrivals: 'random', lag, latency: latency(900) } }).reasons).toEqual([
      { code: 'generator-behind', by: 'lag', lag: 60, late: 0.05 },
    ])
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
    expect(step({ load: { shape: 'closed', rate: null, vus: 64, generatorCpu: 0.97 } }).reasons).toEqual([
      { code: 'generator-behind', by: 'limit', cpu: 0.97 },
    ])
    expect(step({ load: { shape: 'closed', rate: null, vus: 64, generatorCpu: 0.7 } }).holds).toBe(true)
  })

  test('shared its cores with others until they were full, so that a miss may be theirs', () => {
    expect(step({ load: { coresBusy: 0.96, generatorCpu: 0.41, latency: latency(900) } }).reasons).toEqual([
      { code: 'generator-behind', by: 'cores', busy: 0.96, own: 0.41 },
    ])
    expect(step({ load: { coresBusy: 0.96, generatorCpu: 0.41 } }).holds).toBe(true)
    expect(step({ load: { coresBusy: 0.8, latency: latency(900) } }).codes).toEqual(['latency'])
  })

  test('shared its cores with a PostgreSQL that read the editor’s list, which is then to blame', () => {
    const bottleneck = { code: 'execution-list', by: 'lists', process: null, reading: 11, active: 12 } as const
    const load = { coresBusy: 0.99, generatorCpu: 0.01, latency: latency(900) }
    expect(step({ load, bottleneck }).reasons).toMatchObject([{ code: 'latency', bottleneck }])
    expect(step({ load: { ...load, arrivals: 'random', lag }, bottleneck }).codes).toEqual(['generator-behind'])
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
    expect(step({ accounting: { backlogGrowth: 0.31 } }).reasons).toMatchObject([
      { code: 'backlog', growth: 0.31, bound: 0.05 },
    ])
  })

  test('that are still under way after the wait break it, also where growth could not be seen', () => {
    expect(step({ accounting: { backlogGrowth: null, waiting: 200 } }).codes).toEqual(['backlog'])
  })

  test('that wait are told of in figures, even where nothing was accepted', () => {
    const { reasons } = step({ accounting: { accepted: 0, waiting: 2, backlogGrowth: null } })
    expect(reasons).toMatchObject([{ code: 'backlog', growth: 2 }])
  })

  test('of which a single one is lost break it', () => {
    expect(step({ accounting: { lost: 1 } }).codes).toEqual(['executions-lost'])
  })
})

describe('scheduled runs beside the load', () => {
  const schedules = {
    ...{ copies: 200, due: 2, ran: 400, missed: 0, double: 0, failed: 0, open: 0 },
    late: { p50: 1, p95: 2, max: 3 },
    callers: { beside: 1, otherwise: 1 },
  }

  test('that all came once, however late, break nothing', () => {
    expect(step({ schedules }).codes).toEqual([])
  })

  test.each(['missed', 'double'])('of which a single one is %s break it', (what) => {
    expect(step({ schedules: { ...schedules, [what]: 1 } }).codes).toEqual(['schedules-missed'])
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
        limitOf: () => null,
        untuned: false,
        ran,
      },
      slo,
    ).reasons

  test('does not say that n8n falls behind: until the first ends, the number under way can only grow', () => {
    expect(judged(5, 5010)).toEqual([{ code: 'too-short', lasted: 5000, ran: 5010 }])
  })

  test('is none of twice their time', () => {
    expect(judged(10, 5010)).toMatchObject([{ code: 'backlog' }])
  })

  test('is not assumed where nobody says how long they take, nor of executions slowed down in a long step', () => {
    expect(judged(5, null)).toMatchObject([{ code: 'backlog' }])
    expect(judged(60, 50_000)).toMatchObject([{ code: 'backlog' }])
  })
})

describe('a process that ended', () => {
  test('is found with its limit, its heap, and whether n8n was tuned', () => {
    const exits = [exited({ reason: 'oom-killed', signal: 'SIGKILL' })]
    expect(step({ exits, untuned: true, heapBefore: () => 300 * 2 ** 20 }).reasons).toEqual([
      {
        code: 'oom-killed',
        process: 'main-0',
        exit: { code: null, signal: 'SIGKILL' },
        limit: 2 ** 30,
        heap: 300 * 2 ** 20,
        untuned: true,
      },
    ])
  })

  test.each([
    ['heap-exhausted', { reason: 'heap-exhausted', code: 134 }],
    ['crashed', { code: 3 }],
    ['crashed', { signal: 'SIGSEGV' }],
  ] as const)('%s: %j', (code, exit) => {
    expect(step({ exits: [exited(exit)] }).codes).toEqual([code])
  })

  test('comes before what followed from it', () => {
    expect(
      step({ load: { failures: { refused: 100 } }, accounting: { lost: 3 }, exits: [exited({ reason: 'oom-killed' })] })
        .codes,
    ).toEqual(['oom-killed', 'errors', 'executions-lost'])
  })
})

test('a step of an n8n that nobody asked is judged by its answers alone', () => {
  const accounting = { finished: null, failed: null, waiting: null, lost: null, backlogGrowth: null }
  expect(step({ accounting })).toMatchObject({ holds: true, reasons: [] })
  expect(step({ accounting, load: { latency: latency(900) } }).codes).toEqual(['latency'])
})
