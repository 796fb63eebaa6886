import { html, type Markup } from '../escape.ts'

/** Which colour is whose, and which mark means what. */
export function key(series: Array<{ name: string; colour: number; dashed?: boolean }>, marks = false): Markup {
  return html`<ul class="key">
${series.map(({ name, colour, dashed }) => html`<li class="s${colour}"><svg class="stroke" viewBox="0 0 18 10" aria-hidden="true"><line x1="0" x2="18" y1="5" y2="5"${dashed && html` stroke-dasharray="4 3"`}/></svg>${name}</li>`)}
${marks && html`<li><svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4"/></svg>held</li><li class="broke"><svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="M1.5 1.5l7 7m0-7l-7 7"/></svg>broke</li>`}
</ul>`
}
