import type { Block, Card, Chart, Document, Item, Mark, Section } from '../document.ts'
import { assets, policy } from './assets.ts'
import { drawBars, drawFigure, drawMatrix, drawRates, drawScaling, drawSteps } from './drawings.ts'
import { fleetSliders } from './fleet.ts'
import { html, json, Markup } from './escape.ts'

/** The report: one file, readable without a network, words before charts. */
export function printHtml(document: Document): string {
  const charts: Record<string, Chart> = {}
  const [warnings, ...sections] = [warningsOf(document), ...document.sections.map((one) => sectionOf(one, charts))]
  const { style, script } = assets()
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy({ style, script })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.profile}: ${document.title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${answer(document, charts)}
${warnings}
${sections}
</main>
<footer>
<p class="on-paper">The evidence is in report.html, which this was printed from.</p>
<p>Written by n8n-tuned from run.ndjson. Every figure on this page is of this run.</p>
</footer>
<script type="application/json" id="charts">${json(charts)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`.text
}

/** The first screen: the question, its answer, a figure for every workflow, and what goes with a signature. */
function answer(
  { title, answered, verdict, objective, load, warnings, first, end }: Document,
  charts: Record<string, Chart>,
): Markup {
  const { length } = warnings
  const warned = length > 0 && html`<a class="pill unsure" href="#warnings">${length} warning${length > 1 && 's'}</a>`
  // Beside the rate that was asked for, it is there already.
  const said = end.command === undefined || first.facts.some(({ command }) => command === end.command)
  const axis = first.rates && drawRates(first.rates)
  // Many rows would push what is signed off the first screen.
  const few = (first.rates?.rows.length ?? 0) <= 2
  const cut = first.outcome !== null && html`<span class="pill bad">${first.outcome}</span>`
  return html`<header class="answer">
<p class="kicker">${first.about.map((each) => html`<span>${each}</span>`)}${cut}${warned}</p>
<h1>${title}</h1>
<p class="lead">${pill(answered)} ${whole(verdict, first.whole)}</p>
${first.marks.map(
  ({ mark, section, link, text }) =>
    html`<p class="sentence">${pill(mark)} <a href="#${section}">${link}</a>: ${text}</p>`,
)}
<p class="objective">Objective: ${objective}. Load: ${load}.</p>
${first.cards.length > 0 && html`<ul class="cards">${first.cards.map(card)}</ul>`}
${few && axis}
${!said && html`<p class="next">${end.text} <code>${end.command!}</code></p>`}
<dl class="decision">
${first.facts.map(
  ({ what, text, command }) =>
    html`<div><dt>${what}</dt><dd>${text}${command !== undefined && html` <code>${command}</code>`}</dd></div>
`,
)}</dl>
${!few && axis}
${first.curve.map((block) => blockOf(block, charts))}
</header>`
}

function card({ title, section, figure, tone, mark, notes }: Card): Markup {
  const shown =
    figure === null
      ? html`<p class="figure none"><span aria-hidden="true">–</span>${mark && html` ${pill(mark)}`}</p>`
      : html`<p class="figure${tone === 'bad' && ' bad'}">${figure}${mark && html` ${pill(mark)}`}</p>`
  return html`<li class="card"><a href="#${section}">${title}</a>${shown}
${notes.map((text) => html`<p class="note">${text}</p>`)}</li>`
}

/** Commands within a sentence stand between backticks. */
const withCode = (text: string): Array<Markup | string> =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))

/** Names hold hyphens, at which a browser would break them. */
function whole(text: string, names: string[]): Array<Markup | string> {
  return text
    .split(/(?<= )/)
    .map((word) =>
      names.some((name) => word.startsWith(name))
        ? html`<span class="whole">${word.trimEnd()}</span>${word.endsWith(' ') && ' '}`
        : word,
    )
}

/** A reader sees them before the figures. */
function warningsOf({ warnings }: Document): Markup | null {
  if (warnings.length === 0) return null
  return html`<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Before you rely on this</h2>
<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
</section>`
}

function sectionOf({ id, title, evidence, on, blocks }: Section, charts: Record<string, Chart>): Markup | null {
  if (on && !on.includes('html')) return null
  // A workflow's section is the aim of links, and its title has an id beside it.
  const aim = id.startsWith('workflow-')
  const titled = aim ? `${id}-title` : id
  return html`<section${aim && html` id="${id}"`}${evidence && html` class="evidence"`} aria-labelledby="${titled}">
<h2 id="${titled}">${title}</h2>
${blocks.map((block) => blockOf(block, charts))}
</section>`
}

function blockOf(block: Block, charts: Record<string, Chart>): Markup | null {
  if (block.on && !block.on.includes('html')) return null
  switch (block.kind) {
    case 'text': {
      const { text, weight, whose, command } = block
      const before = whose !== undefined && html`<strong>${whose}</strong>: `
      const after = command !== undefined && html` <code>${command}</code>`
      return html`<p${weight && html` class="${weight}"`}>${before}${withCode(text)}${after}</p>`
    }
    case 'heading':
      return html`<h3${block.id !== undefined && html` id="${block.id}"`}>${block.text}</h3>`
    case 'list':
      return html`<ul${block.items.some(({ mark, note }) => mark || note) && html` class="advice"`}>
${block.items.map(item)}</ul>`
    case 'table':
      return table(block.label, block.columns, block.rows)
    case 'code':
      return html`<pre tabindex="0" aria-label="${block.label}"><code>${block.text}</code></pre>`
    case 'facts':
      return html`<dl>${block.rows.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl>`
    case 'folded': {
      const title = block.strong ? html`<strong>${block.title}</strong>` : block.title
      const more = block.note !== undefined && html` <span class="note">${block.note}</span>`
      return html`<details${block.open && html` open`}>
<summary>${title}${more}</summary>
${block.blocks.map((inner) => blockOf(inner, charts))}
</details>`
    }
    case 'beside':
      return html`<div class="pair">${block.blocks.map((inner) => blockOf(inner, charts))}</div>`
    case 'figure':
      charts[block.id] = block.chart
      return drawFigure(block)
    case 'bars':
      return drawBars(block)
    case 'matrix':
      return drawMatrix(block)
    case 'scaling':
      return drawScaling(block)
    case 'steps':
      return drawSteps(block)
    case 'fleet':
      return fleetSliders(block)
  }
}

const item = ({ text, mark, note }: Item): Markup =>
  html`<li>${mark && html`${pill(mark)} `}${text}${note !== undefined && html` <span class="note">${note}</span>`}</li>
`

const pill = ({ word, tone }: Mark): Markup => html`<span class="pill ${tone}">${word}</span>`

/** Columns with names, rows whose first cell names them; where the window is narrow it scrolls by itself. */
function table(label: string, columns: string[], rows: (string | number)[][]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table>
</div>`
}
