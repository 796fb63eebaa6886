import type { Busy } from '../../../loadtests/src/analyse/advice.ts'
import { judge } from '../../../loadtests/src/analyse/verdict.ts'
import { slo, latency, step, exited } from '../fixtures/judged.ts'

describe('advice names what ran out', () => {
  const late = (...busy: Busy[]) =>
    judge(
      {
        load: {
          shape: 'constant',
          rate: 10,
          vus: null,
          startedAt: 0,
          endedAt: 10_000,
          requests: 10,
          accepted: 10,
          failures: {},
          dropped: 0,
          throughput: 10,
          latency: latency(800),
          generatorCpu: null,
        },
        accounting: {
          accepted: 10,
          finished: 10,
          failed: 0,
          waiting: 0,
          lost: 0,
          lostExecutions: [],
          backlogGrowth: 0,
        },
        exits: [],
        limitOf: () => '',
        untuned: false,
        busy,
      },
      slo,
    ).reasons[0]!.advice

  test('the worker, where that is the process at its limit', () => {
    expect(late({ process: 'main-0', cpu: 0.1, limit: 0.2 }, { process: 'worker-0', cpu: 0.39, limit: 0.4 })).toBe(
      'worker-0 used 97.5 % of its CPU limit: raise worker.resources.limits.cpu, or make the workflow cheaper.',
    )
  })

  test('the event loop, which more CPU does not help', () => {
    expect(late({ process: 'main-0', cpu: 1.05, limit: 4 })).toBe(
      'main-0 used 1.05 cores, and its event loop runs on one: more CPU does not help, set executions.mode: '
        + 'queue, whose workers take the executions off it.',
    )
  })

  test('nothing, where every process had CPU to spare', () => {
    expect(late({ process: 'worker-0', cpu: 0.1, limit: 1 })).toMatch(
      /^No process was out of CPU, the busiest, worker-0, used 10 % of its CPU limit: look at what its executions wait/,
    )
  })

  test('the database, where its CPU is what is gone', () => {
    expect(late({ process: 'postgresql-0', cpu: 1.95, limit: 2 }, { process: 'main-0', cpu: 0.2, limit: 1 })).toContain(
      'raise database.embedded.resources.limits.cpu, or',
    )
  })
})

describe('a process that ended', () => {
  test('is named with the values of its own role', () => {
    const { reasons } = step({
      exits: [
        { ...exited({ reason: 'oom-killed' }), process: 'worker-1' },
        { ...exited({ reason: 'heap-exhausted' }), process: 'webhook-0' },
        { ...exited({ reason: 'oom-killed' }), process: 'worker-0-runner' },
      ],
    })
    expect(reasons.map(({ advice }) => advice)).toEqual([
      'Raise worker.resources.limits.memory.',
      'Raise webhook.resources.limits.memory or webhook.heap.megabytes.',
      'Raise runner.resources.limits.memory.',
    ])
  })

  test('by the kernel broke its memory limit', () => {
    const { codes, reasons } = step({ exits: [exited({ reason: 'oom-killed', signal: 'SIGKILL' })] })
    expect(codes).toEqual(['oom-killed'])
    expect(reasons[0]!.text).toContain('main-0 was killed for memory: it needed more than its limit of 1024 MiB')
  })

  test('by memory is told to take the tier tuned only where it has not', () => {
    const advice = (untuned: boolean) => step({ untuned, exits: [exited({ reason: 'oom-killed' })] }).reasons[0]!.advice
    expect(advice(true)).toBe(
      'Set tuning.tier: tuned, whose heap follows the limit, or raise main.resources.limits.memory.',
    )
    expect(advice(false)).toBe('Raise main.resources.limits.memory.')
  })

  test('by V8 ran out of heap', () => {
    expect(step({ exits: [exited({ reason: 'heap-exhausted', code: 134 })] }).codes).toEqual(['heap-exhausted'])
  })

  test.each([
    [{ code: 3 }, 'with exit code 3'],
    [{ signal: 'SIGSEGV' }, 'by SIGSEGV'],
  ])('in another way crashed: %j', (exit, said) => {
    const { codes, reasons } = step({ exits: [exited(exit)] })
    expect(codes).toEqual(['crashed'])
    expect(reasons[0]!.text).toContain(said)
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
