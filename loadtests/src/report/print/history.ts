import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { perSecond } from '../../lib/figures.ts'
import type { Found, History, Kept, Pair } from '../../judge/history.ts'
import { markOf } from '../answered.ts'
import { machinesInWords, verdictInWords } from '../gate-words.ts'
import { namesOf } from '../names.ts'
import { assets, policy } from './assets.ts'
import { html, json, Markup } from './escape.ts'

/** By this the lab knows a page that it wrote. */
export const ownPage = 'Written by n8n-tuned from each run’s run.ndjson.'

/** Runs over time, and any two of them compared: one file, readable without a network. */
export function printHistory({ runs, pairs }: History, folderOf: (id: string) => string): string {
  const style = `${assets().style}\n${own('styles/history.css')}`
  const script = own('charts/pairs.js')
  const workflows = Object.entries(Object.groupBy(pointsOf(runs), ({ found }) => found.workflow))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy({ style, script })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runs over time</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<header class="answer">
<h1>Runs over time</h1>
<p class="lead">${runs.length} runs, the oldest first. A bar is the range of the throughput, right 19 times in 20.</p>
</header>
${workflows.map(([workflow, points], index) => overTime(workflow, points!, index))}
${pairs.length > 0 && compared(runs, pairs)}
<section aria-labelledby="runs"><h2 id="runs">Every run</h2>
${everyRun(runs, folderOf)}
</section>
</main>
<footer><p>${ownPage}</p></footer>
<script type="application/json" id="pairs">${json(pairs.map(shownPair))}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`.text
}

const own = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

interface Point {
  run: Kept
  found: Found
  /** Configuration and release: what has a colour of its own. */
  line: string
}

function pointsOf(runs: Kept[]): Point[] {
  const name = namesOf(runs.flatMap(({ found }) => found))
  return runs.flatMap((run) =>
    run.found.map((found) => ({ run, found, line: `${name(found)}${found.release ? `, n8n ${found.release}` : ''}` })),
  )
}

const [WIDTH, HEIGHT, EDGE] = [640, 180, 12]

/** A dot for each result, with its range; the runs lie side by side in the order of time. */
function overTime(workflow: string, points: Point[], index: number): Markup {
  const lines = [...new Set(points.map(({ line }) => line))]
  const ids = [...new Set(points.map(({ run }) => run.id))]
  const ends = points.flatMap(({ found: { capacity } }) => [capacity?.rate ?? 0, capacity?.interval?.high ?? 0])
  const highest = Math.max(...ends, 1e-9)
  const y = (value: number) => (HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE)).toFixed(1)
  const dots = points.map(({ run, found, line }) => {
    if (!found.capacity) return null
    const { rate: found_, interval } = found.capacity
    const step = (WIDTH - 2 * EDGE) / ids.length
    const x = (EDGE + step * (ids.indexOf(run.id) + (lines.indexOf(line) + 1) / (lines.length + 1))).toFixed(1)
    const range =
      interval
      && html`<line class="range" x1="${x}" x2="${x}" y1="${y(interval.low)}" y2="${y(interval.high ?? highest)}"/>`
    return html`<g class="s${(lines.indexOf(line) % 8) + 1}">${range}<circle cx="${x}" cy="${y(found_)}" r="4"/></g>`
  })
  const dot = html`<svg class="stroke" viewBox="0 0 18 10" aria-hidden="true"><circle cx="9" cy="5" r="4"/></svg>`
  const label = `Throughput of ${workflow} in ${ids.length} runs, up to ${perSecond(highest)}: see the last table`
  return html`<section aria-labelledby="over-time-${index}">
<h2 id="over-time-${index}">${workflow}</h2>
<ul class="key">${lines.map((line, at) => html`<li class="s${(at % 8) + 1}">${dot}${line}</li>`)}</ul>
<svg class="over-time" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<line class="ground" x1="0" x2="${WIDTH}" y1="${HEIGHT - EDGE}" y2="${HEIGHT - EDGE}"/>
${dots}</svg>
<p class="note">From 0 to ${perSecond(highest)}.</p>
</section>`
}

/** Which two: the newest with the one before it, until the reader chooses. */
function compared(runs: Kept[], pairs: Pair[]): Markup {
  const known = new Set(pairs.flatMap(({ earlier, later }) => [earlier, later]))
  const offered = runs.filter(({ id }) => known.has(id))
  const choice = (id: string, label: string, chosen: Kept | undefined) => html`<label>${label}
<select id="${id}">${offered.map(
    (run) => html`<option value="${run.id}"${run === chosen && html` selected`}>${run.id}</option>`,
  )}</select></label>`
  return html`<section aria-labelledby="compared">
<h2 id="compared">Two runs compared</h2>
<p class="choose">${choice('earlier', 'Before', offered.at(-2))} ${choice('later', 'After', offered.at(-1))}</p>
<div id="verdicts" aria-live="polite"></div>
</section>`
}

const tones = { better: 'good', passed: 'good', worse: 'bad', unsure: 'unsure' } as const

const shownPair = ({ earlier, later, gate, changed }: Pair) => ({
  earlier,
  later,
  warning: machinesInWords(gate),
  verdicts: gate.verdicts.map((one) => ({
    verdict: one.verdict,
    tone: tones[one.verdict],
    text: verdictInWords(one, gate),
  })),
  changed: changed.map(({ what, from, to }) => `${what}: ${shown(from)} → ${shown(to)}`),
})

const shown = (value: unknown): string =>
  value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value)

function everyRun(runs: Kept[], folderOf: (id: string) => string): Markup {
  const columns = [
    'Run',
    'Profile',
    'Workflow',
    'Configuration',
    'n8n',
    'Run’s answer',
    'Answer',
    'Throughput',
    'Between',
    'p95',
  ]
  // A run that measured nothing has an answer too.
  const none = runs
    .filter(({ found }) => found.length === 0)
    .map(
      (run) => html`<tr><th scope="row"><a href="${folderOf(run.id)}/report.html">${run.id}</a></th>${[
        run.profile,
        ...Array.from({ length: 3 }, () => '–'),
        markOf(run).word,
        ...Array.from({ length: columns.length - 6 }, () => '–'),
      ].map((cell) => html`<td>${cell}</td>`)}</tr>
`,
    )
  const rows = pointsOf(runs).map(({ run, found, line }) => {
    const { capacity, release } = found
    const { low, high } = capacity?.interval ?? { low: null, high: null }
    return html`<tr><th scope="row"><a href="${folderOf(run.id)}/report.html">${run.id}</a></th>${[
      run.outcome === 'complete' ? run.profile : `${run.profile} (${run.outcome})`,
      found.workflow,
      line.replace(/, n8n [^,]*$/, ''),
      release ?? '–',
      markOf(run).word,
      markOf(found).word,
      capacity ? perSecond(capacity.rate) : '–',
      low === null ? '–' : `${perSecond(low)} and ${high === null ? 'more' : perSecond(high)}`,
      capacity?.p95 == null ? '–' : `${Math.round(capacity.p95)} ms`,
    ].map((cell) => html`<td>${cell}</td>`)}</tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What each run found">
<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows}${none}</tbody>
</table>
</div>`
}
