import type { Death, FoundReason } from '../../../loadtests/src/judge/verdict.ts'
import { reasonInWords } from '../../../loadtests/src/report/reason-words.ts'
import { exited, latency, step } from '../fixtures/judged.ts'

const bottleneck = { code: 'unknown', process: null, what: '', advice: 'Look at it.' } as const

test('every reason says what was, and what to change', () => {
  const { reasons } = step({
    load: { failures: { timeout: 500 }, latency: latency(900) },
    accounting: { failed: 20, lost: 3, backlogGrowth: 0.4 },
    exits: [exited({ reason: 'oom-killed' }), exited({ reason: 'heap-exhausted' }), exited({ code: 1 })],
  })
  expect(reasons).toHaveLength(8)
  for (const { text, advice } of reasons.map(reasonInWords)) {
    expect(text).toMatch(/^\S.*\d.*\.$/)
    expect(advice).toMatch(/^[A-Z].*\.$/)
  }
})

const answers = { requests: 1000, failures: { status_5xx: 12, refused: 3 }, bottleneck }

test.each<[said: string, found: FoundReason]>([
  [
    '1.5 % of 1000 requests failed (12 5xx, 3 refused), allowed are 0.10 %.',
    { code: 'errors', share: 0.015, bound: 0.001, ...answers },
  ],
  [
    '95 % of the requests to reports were answered within 25000 ms, the objective is 500 ms.',
    { code: 'latency', share: 0.95, taken: 25_000, bound: 500, bottleneck, workflow: 'reports' },
  ],
  [
    'Executions under way grew by 31.0 % of those accepted, allowed are 5.0 %: n8n accepts more than it finishes.',
    { code: 'backlog', growth: 0.31, bound: 0.05, bottleneck },
  ],
  [
    'The generator itself sent 5 % of the requests 60 ms late or more, although it had clients free, so the latencies '
      + 'are partly its own.',
    { code: 'generator-behind', by: 'lag', lag: 60, late: 0.05 },
  ],
  [
    'The generator used 97.0 % of its own core: its clients could not send faster, so the rate is the generator’s '
      + 'limit.',
    { code: 'generator-behind', by: 'limit', cpu: 0.97 },
  ],
  [
    'The generator’s cores were busy for 96.0 % of the step, k6 for 41.0 %; the rest is the lab and what else runs '
      + 'there: their limit may be what is seen here.',
    { code: 'generator-behind', by: 'cores', busy: 0.96, own: 0.41 },
  ],
  ['Others had n8n’s cores: it waited for one 52.0 % of the time.', { code: 'machine-busy', waited: 0.52 }],
  [
    'The step of 5.0 s was too short for executions of 5.0 s: the number under way rises until the first of them end.',
    { code: 'too-short', lasted: 5000, ran: 5010 },
  ],
  [
    'Of 400 scheduled runs 3 were missed, and 1 came twice.',
    { code: 'schedules-missed', missed: 3, double: 1, of: 400 },
  ],
  [
    '12 of 100 accepted executions never finished: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 others.',
    {
      code: 'executions-lost',
      lost: 12,
      accepted: 100,
      ids: Array.from({ length: 12 }, (_, index) => String(index + 1)),
    },
  ],
])('%s', (text, found) => {
  expect(reasonInWords(found).text).toBe(text)
})

test('what was in the way is said with the reason, and how to widen it', () => {
  const full = { code: 'redis', process: null, what: 'Redis answered late.', advice: 'Look at its CPU.' } as const
  expect(reasonInWords({ code: 'latency', share: 0.95, taken: 612, bound: 500, bottleneck: full })).toEqual({
    code: 'latency',
    text: '95 % of the requests were answered within 612 ms, the objective is 500 ms. Redis answered late.',
    advice: 'Look at its CPU.',
    bottleneck: full,
  })
})

test('what was recorded has its words, and of an earlier version the advice that was given then', () => {
  const recorded = { code: 'latency', text: 'It was late.', advice: 'Wait.' } as const
  expect(reasonInWords(recorded)).toBe(recorded)
  const again: FoundReason = { code: 'latency', share: 0.95, taken: 612, bound: 500, bottleneck, given: 'Wait.' }
  expect(reasonInWords(again).advice).toBe('Wait.')
})

test('a result of which nothing held, or that never got ready, says so', () => {
  expect(reasonInWords({ code: 'nothing-held', lowest: 5 }).text).toBe('No rate held, the lowest tried was 5/s.')
  const failure = { code: 'never-ready', message: 'main-0 ended.' }
  expect(reasonInWords({ code: 'never-ready', failure })).toMatchObject({
    text: 'main-0 ended.',
    advice: expect.stringContaining('Read the last lines of its log'),
  })
})

describe('a process that ended', () => {
  const killed: Death = {
    code: 'oom-killed',
    process: 'main-0',
    exit: { code: null, signal: 'SIGKILL' },
    limit: 2 ** 30,
    heap: null,
    untuned: false,
  }
  const said = (over: Partial<Death>) => reasonInWords({ ...killed, ...over })

  test.each([
    ['Raise worker.resources.limits.memory.', { process: 'worker-1' }],
    [
      'Raise webhook.resources.limits.memory or webhook.heap.megabytes.',
      { process: 'webhook-0', code: 'heap-exhausted' },
    ],
    ['Raise runner.resources.limits.memory.', { process: 'worker-0-runner' }],
    ['Set tuning.tier: tuned, whose heap follows the limit, or raise main.resources.limits.memory.', { untuned: true }],
  ] as const)('%s', (advice, over) => {
    expect(said(over).advice).toBe(advice)
  })

  test.each([
    ['main-0 was killed for memory: it needed more than its limit of 1024 MiB.', {}],
    ['main-0 was killed for memory: it needed more than its limit of the whole machine.', { limit: null }],
    [
      'main-0 was killed for memory: it needed more than its limit of 1024 MiB. Its heap last held 300 MiB of it, the '
        + 'rest was outside of the heap.',
      { heap: 300 * 2 ** 20 },
    ],
    ['main-0 ended with exit code 3 under load.', { code: 'crashed', exit: { code: 3, signal: null } }],
    ['main-0 ended by SIGSEGV under load.', { code: 'crashed', exit: { code: null, signal: 'SIGSEGV' } }],
  ] as const)('%s', (text, over) => {
    expect(said(over).text).toBe(text)
  })
})
