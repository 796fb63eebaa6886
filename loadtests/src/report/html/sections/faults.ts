import { latency, list } from '../../../lib/figures.ts'
import { inWords, names, untoldInWords } from '../../fault-words.ts'
import { html, type Markup } from '../escape.ts'
import type { Page, TimeChart } from '../page.ts'
import { table } from '../table.ts'
import { key } from './key.ts'
import type { FaultResult } from '../../../model/fault.ts'

const HEAD = [
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

/** What each fault did to the requests, and how service came back. */
export function faults(page: Page): Markup | null {
  const { faults: all = [], untold = [] } = page.summary
  if (all.length + untold.length === 0) return null
  return html`<section aria-labelledby="faults">
<h2 id="faults">What the faults did</h2>
${
  all.length > 0
  && table(
    'Faults',
    HEAD,
    all.map((fault) => [fault.fault, ...cells(fault)]),
  )
}
${untold.map((fault) => html`<p class="sentence">${untoldInWords(fault)}</p>`)}
${all.map((fault, index) => told(fault, index, page))}
</section>`
}

/** The same in one line, for the first screen. */
export function faultsInShort({ summary }: Page): Markup | null {
  const { faults: told = [], untold = [] } = summary
  const all = [...told, ...untold]
  if (all.length === 0) return null
  const broken = told.filter((fault) => fault.broken.length > 0)
  const [kind, word, verdict] = broken.length
    ? ['bad', 'broken', `${namesOf(broken)} broke it.`]
    : untold.length
      ? ['unsure', 'unsure', `the effects of ${namesOf(untold)} are not known.`]
      : ['good', 'passed', 'nothing was lost.']
  const pill = html`<span class="pill ${kind}">${word}</span>`
  const names = namesOf(all)
  return html`<p class="sentence">${pill} <a href="#faults">Under ${names}</a>: ${verdict}</p>`
}

const namesOf = (faults: { fault: string }[]) => list(faults.map(({ fault }) => fault))

function cells({ fate, service }: FaultResult): string[] {
  const counts = [
    fate.sent,
    fate.accepted,
    fate.once,
    fate.failed.length,
    fate.lost.length,
    fate.twice.length,
    fate.stuck.length,
    fate.unanswered,
  ]
  const { before, after } = service.p95
  return [
    ...counts.map(String),
    `${service.gap.toFixed(1)} s`,
    service.back === null ? 'not seen' : `${service.back} s`,
    latency(before),
    after === null ? '–' : latency(after),
  ]
}

function told(fault: FaultResult, index: number, page: Page): Markup {
  const id = `fault-${index}`
  const start = fault.timeline[0]?.at ?? fault.from
  const seconds = (at: number) => Math.round((at - start) / 100) / 10
  const t = fault.timeline.map(({ at }) => seconds(at))
  const line = (name: 'accepted' | 'refused' | 'unanswered', colour: number) => ({
    name,
    colour,
    dashed: false,
    t,
    v: fault.timeline.map((moment) => moment[name]),
  })
  const lines: TimeChart['lines'] = [line('accepted', 1), line('refused', 2), line('unanswered', 3)].filter(({ v }) =>
    v.some(Boolean),
  )
  page.charts[id] = {
    kind: 'time',
    unit: 'requests a second',
    limit: null,
    lines,
    steps: [
      {
        from: seconds(fault.from),
        to: Math.max(seconds(fault.to), seconds(fault.from) + 1),
        state: 'broke',
        label: fault.fault,
      },
    ],
    exits: [],
  }
  const unready = fault.unready.map(({ process, seconds: time }) => ` ${process} was not ready for ${time} s.`)
  return html`<h3 id="${id}-title">${fault.fault}</h3>
<p class="sentence">${inWords(fault)}</p>
<p class="note">${fault.does}.${unready}</p>
${names(fault).length > 0 && html`<ul>${names(fault).map((name) => html`<li>${name}</li>`)}</ul>`}
<figure aria-labelledby="${id}-title">
${key(lines, false)}
<div class="chart" id="${id}" role="img" aria-label="${inWords(fault)}"></div>
<figcaption>Requests that began in each second, by what became of them.</figcaption>
</figure>`
}
