import { bottleneckIn } from '../../../loadtests/src/judge/bottleneck.ts'
import { keptWaiting } from '../../../loadtests/src/judge/bottlenecks/cpu.ts'
import type { Busy, Seen } from '../../../loadtests/src/judge/seen.ts'

/** An n8n with enough of everything, but for what a test says. */
const seen = (over: Partial<Seen> = {}, ...processes: Busy[]): Seen => ({
  processes: processes.length ? processes : [idle],
  cores: null,
  redis: null,
  disk: null,
  lists: null,
  executions: null,
  slots: null,
  runner: null,
  request: null,
  ...over,
})
const idle: Busy = { process: 'main-0', cpu: 0.05, limit: 1 }
const busy = (...processes: Busy[]) => bottleneckIn(seen({}, ...processes))

describe('a CPU limit', () => {
  test('is of the process that is nearest to its own', () => {
    expect(busy({ process: 'main-0', cpu: 0.01, limit: 0.2 }, { process: 'worker-0', cpu: 0.39, limit: 0.4 })).toEqual({
      code: 'cpu-limit',
      by: 'limit',
      process: 'worker-0',
      limit: 0.4,
      share: expect.closeTo(0.975),
      throttled: null,
      next: { what: 'loop', process: 'worker-0', times: expect.closeTo(2.56) },
    })
  })

  test('is named where it stops a process that uses less of it on average', () => {
    expect(busy({ process: 'main-0', cpu: 0.6, limit: 1, throttled: 0.7 })).toMatchObject({
      code: 'cpu-limit',
      share: 0.6,
      throttled: 0.7,
    })
  })

  test('of the database is the database’s', () => {
    const { process } = busy(
      { process: 'postgresql-0', cpu: 1.95, limit: 2 },
      { process: 'main-0', cpu: 0.2, limit: 1 },
    )
    expect(process).toBe('postgresql-0')
  })
})

describe('an event loop', () => {
  const main = (over: Partial<Busy>) => busy({ process: 'main-0', cpu: 0.95, limit: 2, ...over })

  test('is full, whatever the limit', () => {
    expect(busy({ process: 'main-0', cpu: 1.05, limit: 4 })).toMatchObject({
      code: 'event-loop',
      by: 'loop',
      cpu: 1.05,
    })
    expect(main({ loop: { ran: 0.92, waited: 0.03 } }).code).toBe('event-loop')
    expect(main({ limit: 1, throttled: 0.6, loop: { ran: 0.92, waited: 0.05 } }).code).toBe('event-loop')
  })

  test('is full as well where others took a little of its core', () => {
    expect(main({ cpu: 0.87, loop: { ran: 0.85, waited: 0.12 } }).code).toBe('event-loop')
  })

  test('is not full where a task runner beside it used the rest', () => {
    expect(main({ cpu: 1.4, loop: { ran: 0.5, waited: 0.02 } }).code).toBe('unknown')
  })

  test('that its limit stops is not full', () => {
    expect(main({ cpu: 0.2, limit: 0.2, throttled: 1, loop: { ran: 0.2, waited: 0.8 } }).code).toBe('cpu-limit')
  })
})

describe('cores', () => {
  const worker = { process: 'worker-0', cpu: 0.6, limit: 1 }
  const main = { process: 'main-0', cpu: 0.35, limit: 1 }

  test('are used up by all processes together, but for those that run elsewhere', () => {
    expect(bottleneckIn(seen({ cores: 1 }, worker, main))).toMatchObject({
      code: 'cores',
      used: expect.closeTo(0.95),
      cores: 1,
    })
    const apart = bottleneckIn(
      seen({ cores: 1 }, { ...worker, cpu: 0.38 }, { ...main, cpu: 0.55, process: 'postgresql-0' }),
    )
    expect(apart.code).toBe('unknown')
  })

  test('are short for what is idle at times, where nothing else was used up', () => {
    const webhook = { process: 'webhook-0', cpu: 0.3, limit: 1, loop: { ran: 0.28, waited: 0.55 } }
    expect(bottleneckIn(seen({ cores: 1 }, webhook)).code).toBe('others')
    expect(bottleneckIn(seen({ cores: 1, redis: 200 }, webhook)).code).toBe('redis')
    const resting = { ...webhook, loop: { ran: 0.03, waited: 0.1 } }
    expect(bottleneckIn(seen({ cores: 1 }, resting)).code).toBe('unknown')
  })

  test('are not others’ where its own limit stopped it, which to the kernel is a wait for a core', () => {
    const webhook = { process: 'webhook-0', cpu: 0.14, limit: 0.25, throttled: 0.42, loop: { ran: 0.12, waited: 0.29 } }
    expect(bottleneckIn(seen({ cores: 1 }, webhook))).toMatchObject({ code: 'cpu-limit', by: 'thread', busy: 0.56 })
    expect(keptWaiting({ cores: 1, processes: [webhook] })).toBeNull()
    const beside = { ...webhook, loop: { ran: 0.12, waited: 0.7 } }
    expect(keptWaiting({ cores: 1, processes: [beside] })).toBeCloseTo(0.26)
  })

  test('are not others’ where n8n’s own threads had them, as those that collect garbage do', () => {
    const collecting = { process: 'worker-0', cpu: 0.47, limit: 1, loop: { ran: 0.15, waited: 0.37 } }
    expect(keptWaiting({ cores: 1, processes: [collecting] })).toBeNull()
    expect(
      keptWaiting({ cores: null, processes: [{ ...collecting, cpu: 0.77, loop: { ran: 0.24, waited: 0.57 } }] }),
    ).toBeNull()
  })

  test('are others’, where a process waits for its turn', () => {
    const one = { process: 'main-0', cpu: 0.5, limit: 2, loop: { ran: 0.48, waited: 0.5 } }
    expect(bottleneckIn(seen({ cores: 1 }, one))).toMatchObject({
      code: 'others',
      waiting: { process: 'main-0', share: 0.5 },
    })
  })
})

test('a heap is full that has no room even after a collection, and takes CPU for it', () => {
  const heap = { least: 290 * 2 ** 20, limit: 300 * 2 ** 20 }
  expect(busy({ process: 'worker-0', cpu: 0.99, limit: 1, heap })).toMatchObject({
    code: 'heap',
    process: 'worker-0',
    ...heap,
  })
  expect(busy({ process: 'worker-0', cpu: 0.99, limit: 1, heap: { ...heap, least: 2 ** 27 } }).code).toBe('cpu-limit')
})

describe('what executions wait for while there is CPU to spare', () => {
  const main = { ...idle, pool: { active: 1, waiting: 12, max: 1 } }
  const full = { executions: { active: 1, waiting: 7 }, slots: 1 }

  test('a Redis that answers late', () => {
    expect(bottleneckIn(seen({ redis: 180, ...full }))).toMatchObject({ code: 'redis', took: 180 })
    expect(bottleneckIn(seen({ redis: 3 })).code).toBe('unknown')
  })

  test('the list of executions that editors poll, before the connections and the CPU that it takes', () => {
    const postgresql = { process: 'postgresql-0', cpu: 1.95, limit: 2 }
    const lists = { reading: 1.8, active: 2.1 }
    expect(bottleneckIn(seen({ lists, ...full }, main, postgresql))).toMatchObject({ code: 'execution-list', ...lists })
  })

  test('not a list that is read in milliseconds, nor beside queries that take more', () => {
    expect(bottleneckIn(seen({ lists: { reading: 0.1, active: 0.12 } })).code).toBe('unknown')
    expect(bottleneckIn(seen({ lists: { reading: 0.6, active: 3 } })).code).toBe('unknown')
  })

  test('the disk of PostgreSQL, which keeps connections and workers busy', () => {
    expect(bottleneckIn(seen({ disk: 0.9, ...full }, main)).code).toBe('database-disk')
    expect(bottleneckIn(seen({ disk: 0.4 })).code).toBe('unknown')
  })

  test('a pool without a free connection, which keeps workers busy', () => {
    expect(bottleneckIn(seen({ disk: 0.2, ...full }, main))).toMatchObject({
      code: 'database-pool',
      process: 'main-0',
      isPostgresql: true,
      // 0.2 of the disk is the nearest.
      next: { what: 'disk', times: 5 },
    })
    expect(bottleneckIn(seen({}, main))).toMatchObject({ isPostgresql: false })
    expect(bottleneckIn(seen({}, { ...main, pool: { ...main.pool, waiting: 0 } })).code).toBe('unknown')
  })

  test('workers that run as many executions as they may', () => {
    expect(bottleneckIn(seen(full))).toMatchObject({ code: 'concurrency', active: 1, most: 1, waiting: 7 })
    expect(bottleneckIn(seen({ ...full, executions: { active: 1, waiting: 0 } })).code).toBe('unknown')
  })

  test('main, which runs as many as n8n’s own limit allows', () => {
    expect(bottleneckIn(seen({ slots: 5, executions: { active: 5, waiting: null } }))).toMatchObject({
      code: 'concurrency',
      waiting: null,
    })
  })
})

test('CPU comes before what is held longer for want of it', () => {
  const main = { process: 'main-0', cpu: 0.99, limit: 1, pool: { active: 5, waiting: 30, max: 5 } }
  expect(bottleneckIn(seen({ executions: { active: 10, waiting: 90 }, slots: 10 }, main)).code).toBe('cpu-limit')
})

test('nothing is named where everything was there', () => {
  expect(busy({ process: 'worker-0', cpu: 0.1, limit: 1 })).toMatchObject({
    code: 'unknown',
    busiest: { process: 'worker-0', share: 0.1 },
  })
  expect(bottleneckIn({ ...seen(), processes: [] })).toMatchObject({ code: 'unknown', busiest: null })
})

test('one process that is busy at 70 % makes callers at random wait: that is saturation, not the services', () => {
  const main = { process: 'main-0', cpu: 0.72, limit: 1, loop: { ran: 0.68, waited: 0.02 } }
  expect(busy(main)).toMatchObject({ code: 'event-loop', by: 'thread', process: 'main-0', busy: 0.72 })
  expect(busy({ ...main, cpu: 0.15, limit: 0.2, loop: { ran: 0.14, waited: 0 } }).code).toBe('cpu-limit')
  expect(busy({ ...main, cpu: 0.3, loop: { ran: 0.28, waited: 0 } }).code).toBe('unknown')
})

describe('what all threads of a process use together', () => {
  test.each([0.44, 0.6, 0.74])('saturates its one core at %d, of which its event loop has half', (cpu) => {
    const found = bottleneckIn(
      seen(
        { request: { services: 70, all: 300 } },
        { process: 'main-0', cpu, limit: 1, loop: { ran: cpu / 2, waited: 0.05 } },
      ),
    )
    expect(found).toMatchObject({ code: 'event-loop', by: 'thread', process: 'main-0', busy: cpu })
  })

  test('does not where it may use several cores: then its thread counts', () => {
    const main = { process: 'main-0', cpu: 0.6, limit: 2, loop: { ran: 0.3, waited: 0.02 } }
    expect(busy(main).code).toBe('unknown')
  })

  test('of a webhook processor is named with what relieves it', () => {
    expect(
      busy({ process: 'webhook-0', cpu: 0.6, limit: 1 }, { process: 'worker-0', cpu: 0.2, limit: 1 }),
    ).toMatchObject({
      code: 'event-loop',
      process: 'webhook-0',
    })
  })
})

describe('the task runner', () => {
  const main = { process: 'main-0', cpu: 0.27, limit: 1 }
  const waitingCode = (over: Partial<Seen> = {}) =>
    bottleneckIn(seen({ executions: { active: 41, waiting: null }, runner: 10, ...over }, main))

  test('is what limits code that waits, while n8n has CPU to spare', () => {
    expect(waitingCode()).toMatchObject({ code: 'runner-slots', by: 'runner', active: 41, most: 10 })
  })

  test('is not where fewer executions are under way than it has slots', () => {
    expect(waitingCode({ executions: { active: 6, waiting: null } }).code).toBe('unknown')
  })

  test('is not where executions pile up for want of CPU', () => {
    expect(
      bottleneckIn(seen({ executions: { active: 41, waiting: null }, runner: 10 }, { ...main, cpu: 0.85 })).code,
    ).toBe('event-loop')
  })
})

test('services are named where they take most of a request, and not else', () => {
  const calling = (services: number) =>
    bottleneckIn(seen({ request: { services, all: 300 } }, { process: 'main-0', cpu: 0.5, limit: 1 }))
  expect(calling(200)).toMatchObject({ code: 'services', services: 200, all: 300 })
  expect(calling(70).code).toBe('event-loop')
  // Answered before its calls: callers do not wait for them.
  expect(calling(900).code).toBe('event-loop')
})
