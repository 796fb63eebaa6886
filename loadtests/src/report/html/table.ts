import { html, type Markup } from './escape.ts'

type Cell = Markup | string | number

/** Columns with names, rows whose first cell names them; where the window is narrow it scrolls by itself. */
export function table(label: string, columns: string[], rows: Cell[][]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table>
${headOf(columns)}
<tbody>${rows.map(rowOf)}</tbody>
</table>
</div>`
}

export const headOf = (columns: string[]): Markup =>
  html`<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>`

const rowOf = ([first, ...cells]: Cell[]): Markup => html`<tr><th scope="row">${first}</th>${cells.map(cellOf)}</tr>
`

const cellOf = (cell: Cell): Markup => html`<td>${cell}</td>`
