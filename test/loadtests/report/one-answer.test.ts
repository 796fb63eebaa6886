import { parse } from 'yaml'
import { answered as judged, exitCodeOf } from '../../../loadtests/src/judge/answer.ts'
import { historyOf } from '../../../loadtests/src/judge/history.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { Answered } from '../../../loadtests/src/model/answer.ts'
import type { Estimate } from '../../../loadtests/src/model/estimate.ts'
import type { Experiment } from '../../../loadtests/src/model/experiment.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { compose } from '../../../loadtests/src/report/compose.ts'
import { printHistory } from '../../../loadtests/src/report/print/history.ts'
import { renderConsole, renderHtml, renderMarkdown } from '../../../loadtests/src/report/render.ts'
import { renderValues } from '../../../loadtests/src/report/values.ts'
import { cell, constant, end, exited, run, step, T0 } from '../fixtures/records.ts'
import { checkRun, closedRun, mixedRun, quickRun, queueRun, tiersRun } from '../fixtures/runs.ts'

/** One run, told by every printer: what one says, all say. */

const one: Partial<Experiment> = { variants: [{ name: 'tuned', values: {} }] }
const asked = { ...one, load: constant }
const alone = (experiment: Partial<Experiment>, ...records: RunRecord[]) => [run({ experiment }), cell(0), ...records]
const searched = (...records: RunRecord[]) => summarise([...alone(one, ...records), end()])
const atRate = (...records: RunRecord[]) => summarise([...alone(asked, ...records), end()])
const calibrated = (...rates: number[]): RunRecord[] =>
  rates.map((rate, index) => ({ type: 'calibration', at: T0 + index, rate, p95: 2 }))
const failed = (code: string, message: string): RunRecord => ({
  type: 'cell-failed',
  at: T0,
  cell: 0,
  code,
  message,
  log: [],
})

/** Answers in time, so many of so many, as a step with its distribution says. */
function few(records: RunRecord[]): RunRecord[] {
  return records.map((record) =>
    record.type === 'step' ? { ...record, lateness: [{ objective: 'p95', allowed: 0.05, late: 1, of: 30 }] } : record,
  )
}

/** The same run, fitted. */
function fitted(summary: Summary, estimate: Partial<Estimate> = {}): Summary {
  const { answer: _, ...rest } = summary
  const results = rest.results.map((result) => ({
    ...result,
    capacity: result.capacity && {
      ...result.capacity,
      interval: { low: 10.1, high: 12.7 },
      estimate: {
        capacity: { low: 10.1, rate: 11.3, high: 12.7 },
        safe: { rate: 10.1, chance: 0.975 },
        demand: { low: 0.054, cpu: 0.055, high: 0.056 },
        throughput: 18,
        cores: 1,
        share: 0.63,
        basis: 'model' as const,
        signs: [],
        ...estimate,
      },
    },
  }))
  return judged({ ...rest, results })
}

const needing = (need: number) => {
  const summary = searched(step(0, 11), step(0, 13, { because: ['latency'] }))
  return fitted({ ...summary, experiment: { ...summary.experiment, need } })
}

const table: [what: string, summary: Summary, answered: Answered, exit: number][] = [
  ['a capacity', summarise(checkRun()), 'measured', 0],
  ['a capacity by the model', fitted(searched(step(0, 11), step(0, 13, { because: ['latency'] }))), 'measured', 0],
  [
    'a model that does not fit',
    fitted(searched(step(0, 11), step(0, 13, { because: ['latency'] })), { basis: 'steps', signs: ['misfit'] }),
    'measured',
    0,
  ],
  ['a rate surely below the range', needing(9), 'met', 0],
  ['a rate within the range', needing(11), 'unsure', 4],
  ['a rate above the range', needing(14), 'missed', 3],
  ['a rate that held', atRate(step(0, 50, { seconds: 30 })), 'met', 0],
  ['a rate that was late', atRate(step(0, 50, { because: ['latency'] })), 'missed', 3],
  ['a rate with too few answers', summarise([...few(alone(asked, step(0, 50))), end()]), 'unsure', 4],
  ['a full generator', atRate(step(0, 50, { because: ['generator-behind'] })), 'not-measured', 4],
  [
    'a generator that ended a search',
    searched(step(0, 50), step(0, 90, { because: ['generator-behind'] })),
    'unsure',
    4,
  ],
  ['a busy machine', atRate(step(0, 50, { because: ['machine-busy', 'latency'] })), 'not-measured', 4],
  [
    'a machine that changed its pace',
    summarise([...alone(asked, ...calibrated(2315, 21), step(0, 50, { because: ['latency'] })), end()]),
    'not-measured',
    4,
  ],
  [
    'a memory death at the rate',
    atRate(exited(0, 'oom-killed'), step(0, 50, { because: ['oom-killed', 'errors'] })),
    'missed',
    3,
  ],
  ['no rate that held', searched(step(0, 5, { because: ['latency'] })), 'missed', 3],
  [
    'an n8n that never got ready',
    searched(failed('never-ready', 'main-0 ended with exit code 255.')),
    'not-measured',
    4,
  ],
  [
    'an objective that cannot hold',
    searched(
      {
        type: 'rehearsed',
        at: T0,
        cell: 0,
        workflows: [
          { workflow: 'agent', nodes: 3, ran: 3, untaken: [], ended: true, first: { took: 2810, services: 2660 } },
        ],
      },
      failed('objective-cannot-hold', 'agent: one request alone takes 2.81 s, of it 2.66 s waiting for services.'),
    ),
    'not-measured',
    4,
  ],
  ['an interrupted run', summarise([...alone(one, step(0, 20)), end('interrupted')]), 'unsure', 4],
  ['nothing', summarise([run({ experiment: one }), end('interrupted')]), 'not-measured', 4],
  ['several workflows', summarise(quickRun()), 'measured', 0],
  ['several tiers', summarise(tiersRun()), 'measured', 0],
  ['a fixed number of clients, one of two', summarise(closedRun()), 'met', 0],
  ['a mix', summarise(mixedRun()), 'met', 0],
  ['a queue', summarise(queueRun()), 'measured', 0],
]

const words: Record<Answered, string> = {
  met: 'met',
  missed: 'missed',
  measured: 'measured',
  unsure: 'unsure',
  'not-measured': 'not measured',
}
const plain = (html: string) =>
  html
    .slice(html.indexOf('<header'), html.indexOf('</header>'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")

describe.each(table)('%s', (_, summary, answered, exit) => {
  test(`is ${answered}, whoever prints it`, () => {
    expect(summary.answer.answered).toBe(answered)
    expect(exitCodeOf(summary.answer)).toBe(exit)
    const word = words[answered]
    const [console, markdown, html] = [
      renderConsole(summary, { color: false }),
      renderMarkdown(summary),
      renderHtml(summary, []),
    ]
    expect(console).toContain(`Answer: ${word}.`)
    expect(markdown).toContain(`Answer: **${word}**.`)
    expect(markdown).not.toContain('\\`')
    expect(html).toMatch(new RegExp(`class="lead"><span class="pill \\w+">${word}<`))
    expect(renderValues(summary).replaceAll('\n# ', ' ')).toContain(`Answer: ${word}.`)
    expect(printHistory(historyOf([summary]), () => 'x')).toContain(`>${word}<`)
    expect(JSON.parse(JSON.stringify(summary)).answer.answered).toBe(answered)
  })

  test('recommends nothing where it is neither met nor measured', () => {
    if (answered === 'met' || answered === 'measured') return
    expect(summary.recommendation).toBeNull()
    expect(parse(renderValues(summary))).toBeNull()
    for (const text of [renderConsole(summary, { color: false }), renderMarkdown(summary)]) {
      expect(text).not.toContain('Recommended')
      expect(text).toContain('Nothing is recommended')
    }
  })

  test('says what is safe, and the command that would decide it, everywhere', () => {
    const { next, configurations } = summary.answer
    const { first, end: last } = compose(summary, [], 'results/x')
    const html = plain(renderHtml(summary, []))
    if (next !== null && !summary.recommendation) {
      expect(last.command).toBe(next.replace(/^n8n-tuned /, './n8n-tuned '))
      expect(renderMarkdown(summary)).toContain(last.command!)
      expect(renderConsole(summary, { color: false })).toContain(last.command!)
    }
    if (configurations.some((each) => each.chosen && each.safe && each.answered !== 'not-measured'))
      expect([first.cards.map(({ notes }) => notes.join(' ')).join(' '), html].join(' ')).toContain('Safe: ')
    expect(configurations.filter((each) => each.chosen).length).toBeLessThanOrEqual(
      new Set(configurations.map(({ workflow }) => workflow)).size,
    )
  })

  test('is red only where n8n missed', () => {
    const { first, overview, end: last } = compose(summary, [], 'results/x')
    const tones = [...first.cards.map(({ tone }) => tone), ...overview.rows.map(({ tone }) => tone), last.tone]
    const misses = summary.answer.configurations.some((each) => each.answered === 'missed')
    if (!misses && answered !== 'missed') expect(tones).not.toContain('bad')
    if (answered === 'not-measured') expect(last.tone).toBe('none')
  })
})
