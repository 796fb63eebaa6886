import { duration, figure, latency, memory, perSecond } from '../../lib/figures.ts'
import type { Chart } from '../document.ts'
import { short } from '../reason-words.ts'
import { assets, policy } from '../print/assets.ts'
import { drawKey, drawSteps } from '../print/drawings.ts'
import { html, json, Markup } from '../print/escape.ts'
import type { View } from './view.ts'

/** The live page: the report's own styles and charts, and parts that are replaced when they change. */

interface Told {
  /** What the run is about. */
  title: string
  question: string
  objective: string
  /** What is under way, and for how many milliseconds. */
  doing: string
  since: number
  /** Milliseconds that the run will still take; null before that is known. */
  left: number | null
}

/** What the page replaces: markup by the id of its element, and charts by the id of their place. */
export interface Update {
  parts: Record<string, string>
  charts: Record<string, Chart>
}

const places = [
  {
    id: 'answer',
    title: 'The answer so far',
    label: 'What each configuration sustains, and its range, after each step. The words above say the newest.',
  },
  {
    id: 'search',
    title: 'Rates tried',
    label: 'Latency over the rate, a mark a step. The table of steps says the same.',
  },
  { id: 'rate', title: 'Throughput', label: 'Executions that n8n finished a second, over the last minutes.' },
  { id: 'latency', title: 'Latency', label: 'The 95th percentile of each step, over the last minutes.' },
  { id: 'cpu', title: 'CPU', label: 'Cores that each process uses, over the last minutes.' },
  { id: 'memory', title: 'Memory', label: 'Resident memory of each process, over the last minutes.' },
] as const

export function updateOf(view: View, told: Told): Update {
  const keys = places.map(({ id }) => {
    const chart = view.charts[id]
    return [`${id}-key`, chart ? drawKey(chart) : html`<p class="note">Nothing yet.</p>`]
  })
  const parts: [string, Markup][] = [
    ['now', nowOf(told)],
    ['figures', figuresOf(view)],
    ['plan', planOf(view)],
    ['steps', view.steps.groups.length ? drawSteps(view.steps) : html`<p class="note">No step has ended yet.</p>`],
    ['warnings', warningsOf(view)],
    ...(keys as [string, Markup][]),
  ]
  return {
    parts: Object.fromEntries(parts.map(([id, markup]) => [id, markup.text])),
    charts: Object.fromEntries(Object.entries(view.charts).filter(([, chart]) => chart)) as Update['charts'],
  }
}

function nowOf({ doing, since, left }: Told): Markup {
  const more =
    left === null
      ? 'How long it takes is not known yet.'
      : left < 1000
        ? 'It ends soon, or takes longer than estimated.'
        : `About ${duration(left)} left.`
  return html`<p class="lead">${doing} <span class="note">${duration(since)}</span></p>
<p class="objective">${more}</p>`
}

function warningsOf({ warnings }: View): Markup {
  if (warnings.length === 0) return html``
  return html`<section class="warnings" aria-labelledby="warnings-title">
<h2 id="warnings-title">Warnings so far</h2>
<ul>${warnings.map((text) => html`<li>${text}</li>`)}</ul>
</section>`
}

function figuresOf({ now }: View): Markup {
  const { step } = now
  const cards = [
    { title: 'Throughput', figure: now.finished === null ? '–' : perSecond(now.finished), note: 'executions finished' },
    {
      title: 'p95 of the last step',
      figure: step?.load.latency ? latency(step.load.latency.p95) : '–',
      note: step
        ? `${step.load.rate === null ? '' : `${perSecond(step.load.rate)}: `}${verdict(step)}`
        : 'none has ended',
    },
    { title: 'CPU', figure: now.cpu === null ? '–' : figure(now.cpu), note: 'cores, all processes' },
    { title: 'Memory', figure: now.memory === null ? '–' : memory(now.memory), note: 'all processes' },
  ]
  return html`<ul class="cards">${cards.map(
    (card) => html`<li class="card"><p>${card.title}</p><p class="figure">${card.figure}</p>
<p class="note">${card.note}</p></li>`,
  )}</ul>`
}

const verdict = ({ holds, reasons }: NonNullable<View['now']['step']>) =>
  holds ? 'met' : reasons.map(({ code }) => short(code)).join(', ')

const words = { done: ['measured', 'good'], now: ['now', 'unsure'], waiting: ['next', ''] } as const

function planOf({ plan, bounds }: View): Markup {
  const list = html`<ol class="plan">${plan.map(({ name, state }) => {
    const [word, tone] = words[state]
    return html`<li><span class="pill ${tone}">${word}</span> ${name}</li>`
  })}</ol>`
  return html`${bounds !== null && html`<p>${bounds}</p>`}${list}`
}

/** The whole page as it is now; from there it follows the stream of events. */
export function livePage(
  { title, question, objective }: Told,
  { parts, charts }: Update,
): { page: string; policy: string } {
  const { style, script } = assets({ live: true })
  const part = (id: string) => html`<div id="${id}">${new Markup(parts[id]!)}</div>`
  const place = ({ id, title, label }: (typeof places)[number]) => html`<figure>
<h3 class="chart-title">${title}</h3>
${part(`${id}-key`)}
<div class="chart${id !== 'search' && id !== 'answer' && ' small'}" id="${id}" role="img" aria-label="${label}"></div>
</figure>`
  const [answer, search, ...overTime] = places
  const about = 'live: this page becomes the report when the run ends'
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}, live</title>
<style>${new Markup(style)}</style>
</head>
<body class="live">
<main>
<header class="answer">
<p class="kicker"><span>${title}</span><span>${about}</span></p>
<h1>${question}</h1>
${part('now')}
<p class="objective">Objective: ${objective}.</p>
${part('figures')}
<p id="lost" role="status" hidden>The run has ended, or was stopped. Its folder has what was measured.</p>
</header>
${part('warnings')}
<section aria-labelledby="next-title">
<h2 id="next-title">The search</h2>
${part('plan')}
<div class="pair">${[answer, search].map(place)}</div>
</section>
<section aria-labelledby="time-title">
<h2 id="time-title">The last minutes</h2>
<div class="pair">${overTime.map(place)}</div>
</section>
<section aria-labelledby="steps-title">
<h2 id="steps-title">Steps</h2>
${part('steps')}
</section>
</main>
<script type="application/json" id="charts">${json(charts)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`.text
  return { page, policy: `${policy({ style, script })}; connect-src 'self'; frame-ancestors 'none'` }
}
