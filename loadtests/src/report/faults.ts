import type { FaultResult } from '../model/fault.ts'
import { latency, list } from '../lib/figures.ts'
import { bullets, note, type Block, type First, type Section, type TimeChart } from './document.ts'
import { faultInWords, names, missingInWords } from './fault-words.ts'
import type { Page } from './page.ts'

/** What each fault did to the requests, and how service came back. */
export function faults({ summary }: Page): Section | null {
  const { faults: all = [], untold: missing = [] } = summary
  if (all.length + missing.length === 0) return null
  const table: Block[] = all.length
    ? [{ kind: 'table', label: 'Faults', columns, rows: all.map(row), on: ['markdown', 'html'] }]
    : []
  return {
    id: 'faults',
    title: 'What the faults did',
    on: ['terminal', 'markdown', 'html'],
    blocks: [
      ...table,
      ...missing.map((fault): Block => ({
        kind: 'text',
        weight: 'sentence',
        tone: 'bad',
        text: missingInWords(fault),
      })),
      ...all.flatMap(one),
    ],
  }
}

/** The same in one line, for the first screen. */
export function faultsInShort({ summary }: Page): First['marks'][number] | null {
  const { faults: told = [], untold: missing = [] } = summary
  const all = [...told, ...missing]
  if (all.length === 0) return null
  const broken = told.filter((fault) => fault.broken.length > 0)
  const about = { section: 'faults', link: `Under ${namesOf(all)}` }
  if (broken.length) return { ...about, mark: { word: 'broken', tone: 'bad' }, text: `${namesOf(broken)} broke it.` }
  if (missing.length) {
    const text = `the effects of ${namesOf(missing)} are not known.`
    return { ...about, mark: { word: 'unsure', tone: 'unsure' }, text }
  }
  return { ...about, mark: { word: 'passed', tone: 'good' }, text: 'nothing was lost.' }
}

const namesOf = (some: { fault: string }[]) => list(some.map(({ fault }) => fault))

const columns = [
  'fault',
  'sent',
  'accepted',
  'executed once',
  'ended in error',
  'lost',
  'twice',
  'stuck',
  'unanswered',
  'no answer for',
  'back after',
  'p95 before',
  'after',
]

function row({ fault, fate, service }: FaultResult): (string | number)[] {
  const { before, after } = service.p95
  return [
    fault,
    fate.sent,
    fate.accepted,
    fate.once,
    fate.failed.length,
    fate.lost.length,
    fate.twice.length,
    fate.stuck.length,
    fate.unanswered,
    `${service.gap.toFixed(1)} s`,
    service.back === null ? 'not seen' : `${service.back} s`,
    latency(before),
    after === null ? '–' : latency(after),
  ]
}

function one(fault: FaultResult, index: number): Block[] {
  const id = `fault-${index}`
  const unready = fault.unready.map(({ process, seconds }) => ` ${process} was not ready for ${seconds} s.`)
  return [
    { kind: 'heading', id: `${id}-title`, text: fault.fault },
    { kind: 'text', weight: 'sentence', tone: fault.broken.length ? 'bad' : 'good', text: faultInWords(fault) },
    { ...note(`${fault.does}.${unready.join('')}`), on: ['markdown', 'html'] },
    ...(names(fault).length ? [bullets(names(fault))] : []),
    {
      kind: 'figure',
      id,
      label: faultInWords(fault),
      caption: 'Requests that began in each second, by what became of them.',
      chart: chartOf(fault),
    },
  ]
}

function chartOf({ fault, from, to, timeline }: FaultResult): TimeChart {
  const start = timeline[0]?.at ?? from
  const seconds = (at: number) => Math.round((at - start) / 100) / 10
  const line = (name: 'accepted' | 'refused' | 'unanswered', colour: number) => ({
    name,
    colour,
    dashed: false,
    t: timeline.map(({ at }) => seconds(at)),
    v: timeline.map((moment) => moment[name]),
  })
  return {
    kind: 'time',
    unit: 'requests a second',
    limit: null,
    lines: [line('accepted', 1), line('refused', 2), line('unanswered', 3)].filter(({ v }) => v.some(Boolean)),
    steps: [{ from: seconds(from), to: Math.max(seconds(to), seconds(from) + 1), state: 'broke', label: fault }],
    exits: [],
  }
}
