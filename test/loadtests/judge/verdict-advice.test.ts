import { latency, step, exited } from '../fixtures/judged.ts'

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

  test('by the kernel is told how much of it was its heap, where that was seen', () => {
    const exits = [exited({ reason: 'oom-killed', signal: 'SIGKILL' })]
    const { text } = step({ exits, heapBefore: () => 300 * 2 ** 20 }).reasons[0]!
    expect(text).toContain('Its heap last held 300 MiB of it, the rest was outside of the heap.')
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
