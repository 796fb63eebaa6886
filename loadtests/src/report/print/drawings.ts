import { perSecond } from '../../lib/figures.ts'
import { rateAt } from '../../model/scaling.ts'
import type { Bars, Block, Chart, Mark, Matrix, Rates, Scaling, Square, Steps } from '../document.ts'
import { html, type Markup } from './escape.ts'

/** What of a page is drawn: by attributes, which the page's own policy allows. The figures beside it say the same. */

const head = (columns: string[]): Markup =>
  html`<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>`

/** All on one axis: what is safe in full colour, where the capacity lies in less, and a line for the rate asked for. */
export function drawRates({ most, asked, rows }: Rates): Markup {
  const x = (value: number): string => Math.max(0, Math.min(100, (value / most) * 100)).toFixed(2)
  const wide = (from: number, to: number): string => (Number(x(to)) - Number(x(from))).toFixed(2)
  const meaning = 'Full: safe. Line: where the objective ends; pale: its range, right 19 times in 20.'
  const yours = asked === null ? '' : ` Dashed: your rate, ${perSecond(asked)}.`
  const line = asked !== null && html`<line class="asked" x1="${x(asked)}" x2="${x(asked)}" y1="0" y2="10"/>`
  return html`<ul class="rates" aria-label="Requests a second">${rows.map(
    ({ name, colour, mark, safe, low, high, rate, text }) => {
      const range =
        rate !== null
        && low !== null
        && html`<rect class="range" x="${x(low)}" y="1" width="${wide(low, high ?? most)}" height="8"/>`
      const zone = safe !== null && html`<rect class="safe" y="1" width="${x(safe)}" height="8"/>`
      const middle = rate !== null && html`<line class="middle" x1="${x(rate)}" x2="${x(rate)}" y1="0" y2="10"/>`
      const who = html`<strong>${name}</strong>${mark && html` ${pill(mark)}`} <span class="note">${text}</span>`
      return html`<li class="s${colour}"><p class="who">${who}</p>
<svg class="axis" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="10"/>${range}${zone}${middle}${line}</svg></li>`
    },
  )}</ul>
<p class="note ends"><span>0/s</span><span>${meaning}${yours}</span><span>${perSecond(most)}</span></p>`
}

const pill = ({ word, tone }: Mark): Markup => html`<span class="pill ${tone}">${word}</span>`

/** A bar for each configuration, its figures in text, and what broke it. */
export function drawBars({ rows }: Bars): Markup {
  const highest = Math.max(...rows.flatMap(({ repeats }) => repeats), 1e-9)
  const x = (value: number): string => ((value / highest) * 100).toFixed(2)
  return html`<ul class="bars">${rows.map(({ name, colour, marks, figure, note, value, repeats }) => {
    const ends = [x(Math.min(...repeats)), x(Math.max(...repeats))]
    const whisker =
      repeats.length > 1
      && ['casing', 'whisker'].map(
        (layer) => html`<line class="${layer}" x1="${ends[0]}" x2="${ends[1]}" y1="5" y2="5"/>`,
      )
    const fill = value !== null && html`<rect class="fill" width="${x(value)}" height="10"/>`
    const pills = marks.map(pill)
    return html`<li class="s${colour}">
<p class="who"><span class="swatch" aria-hidden="true"></span><strong>${name}</strong> ${pills}</p>
<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="10"/>${fill}${whisker}</svg>
<p class="figure">${figure}</p>
<p class="note">${note}</p>
</li>`
  })}</ul>`
}

/** A place for a chart that is drawn in the browser, with its key. */
export function drawFigure({ id, title, label, caption, small, chart }: Extract<Block, { kind: 'figure' }>): Markup {
  const titled = title !== undefined && html`<p class="chart-title" id="${id}-title">${title}</p>`
  const drawn = html`<div class="chart${small && ' small'}" id="${id}" role="img" aria-label="${label}"></div>`
  return html`<figure>
${titled}
${small ? [drawn, drawKey(chart)] : [drawKey(chart), drawn]}
${caption !== undefined && html`<figcaption>${caption}</figcaption>`}
</figure>`
}

/** Which colour is whose, and which mark means what. */
export function drawKey(chart: Chart): Markup {
  const lines =
    chart.kind === 'time'
      ? [...new Map(chart.lines.map((line) => [line.name, line])).values()]
      : chart.series.map((one, index) => ({ ...one, dashed: index >= 8 }))
  return html`<ul class="key">
${lines.map(({ name, colour, dashed }) => {
  const stroke = html`<line x1="0" x2="18" y1="5" y2="5"${dashed && html` stroke-dasharray="4 3"`}/>`
  return html`<li class="s${colour}">
<svg class="stroke" viewBox="0 0 18 10" aria-hidden="true">${stroke}</svg>${name}</li>`
})}
${chart.kind === 'latency' && [held, broke, ...(hasSpoiled(chart) ? [spoiled] : [])]}
${chart.kind === 'latency' && chart.series.some(({ band }) => band) && html`<li>shaded: where the capacity lies</li>`}
</ul>`
}

const mark = (drawn: Markup): Markup => html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true">${drawn}</svg>`
const held = html`<li>${mark(html`<circle cx="5" cy="5" r="4"/>`)}held</li>`
const broke = html`<li class="broke">${mark(html`<path d="M1.5 1.5l7 7m0-7l-7 7"/>`)}missed</li>`

const spoiled = html`<li class="spoiled">${mark(html`<circle cx="5" cy="5" r="3.5"/>`)}says nothing of n8n</li>`
const hasSpoiled = ({ series }: Extract<Chart, { kind: 'latency' }>) =>
  series.some(({ points }) => points.some(({ state }) => state === 'spoiled'))

export function drawMatrix({ label, title, corner, across, rows }: Matrix): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table class="map">
<caption>${title}</caption>
${head([corner, ...across])}
<tbody>${rows.map(({ name, squares }) => html`<tr><th scope="row">${name}</th>${squares.map(square)}</tr>`)}</tbody>
</table>
</div>`
}

function square({ text, note, best, shade }: Square): Markup {
  const state = typeof shade === 'number' ? `h${shade}` : shade
  const more = note !== undefined && html`<span class="note">${note}</span>`
  return html`<td class="${state}">${text}${best && html` <span class="pill good">recommended</span>`}${more}</td>`
}

const [WIDTH, HEIGHT, EDGE] = [400, 150, 6]

/** Dots for what was measured, and the law through them. */
export function drawScaling({ label, points, law }: Scaling): Markup {
  const furthest = Math.max(...points.map(({ replicas }) => replicas)) * 1.5
  const highest =
    Math.max(
      ...points.map((point) => point.rate * (1 + (point.spread ?? 0) / 2)),
      ...(law ? [rateAt(law, furthest)] : []),
    ) * 1.05
  const x = (replicas: number) => (EDGE + (replicas / furthest) * (WIDTH - 2 * EDGE)).toFixed(1)
  const y = (value: number) => (HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE)).toFixed(1)
  const line =
    law
    && Array.from({ length: 41 }, (_, step) => Math.max(0.01, (step / 40) * furthest))
      .map((replicas) => `${x(replicas)},${y(rateAt(law, replicas))}`)
      .join(' ')
  const dots = points.map((point) => {
    const half = (point.spread ?? 0) / 2
    const [across, low, high] = [x(point.replicas), y(point.rate * (1 - half)), y(point.rate * (1 + half))]
    return html`<line class="range" x1="${across}" x2="${across}" y1="${low}" y2="${high}"/>
<circle class="dot" cx="${across}" cy="${y(point.rate)}" r="4"/>`
  })
  return html`<svg class="law s1" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<polyline class="axis" points="${EDGE},${EDGE} ${EDGE},${HEIGHT - EDGE} ${WIDTH - EDGE},${HEIGHT - EDGE}"/>
${line && html`<polyline class="through" points="${line}"/>`}
${dots}
</svg>`
}

export function drawSteps({ label, columns, groups }: Steps): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table class="steps">
${head(columns)}
${groups.map(
  ({ name, rows }) => html`<tbody>
<tr><th scope="rowgroup" colspan="${columns.length}">${name}</th></tr>
${rows.map(
  ({ warmUp, cells }) => html`<tr${warmUp && html` class="warm"`}>${cells.map(
    ({ text, state, more }) =>
      html`<td${state && html` class="${state}"`}${more !== undefined && html` title="${more}"`}>${text}</td>`,
  )}</tr>
`,
)}</tbody>
`,
)}</table>
</div>`
}
