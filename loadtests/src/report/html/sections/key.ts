import { html, type Markup } from '../escape.ts'

interface Line {
  name: string
  colour: number
  dashed?: boolean
}

/** Which colour is whose, and which mark means what. */
export function key(series: Line[], marks = false): Markup {
  return html`<ul class="key">
${series.map(line)}
${marks && [held, broke]}
</ul>`
}

function line({ name, colour, dashed }: Line): Markup {
  const dashes = dashed && html` stroke-dasharray="4 3"`
  const stroke = html`<line x1="0" x2="18" y1="5" y2="5"${dashes}/>`
  return html`<li class="s${colour}">
<svg class="stroke" viewBox="0 0 18 10" aria-hidden="true">${stroke}</svg>${name}</li>`
}

const mark = (drawn: Markup): Markup => html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true">${drawn}</svg>`

const held = html`<li>${mark(html`<circle cx="5" cy="5" r="4"/>`)}held</li>`
const broke = html`<li class="broke">${mark(html`<path d="M1.5 1.5l7 7m0-7l-7 7"/>`)}broke</li>`
