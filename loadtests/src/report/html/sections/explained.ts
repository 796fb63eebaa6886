import type { ExplainedProcess, Result } from '../../../analyse/summary.ts'
import { figure, memory } from '../../../support/figures.ts'
import { wholePercent } from '../../explained.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** Where the CPU time of each process went, and what would cut the largest share. */
export function explained(results: Result[], workflow: string, page: Page): Markup | null {
  const told = results.filter(({ explanation }) => explanation !== null)
  if (told.length === 0) return null
  return html`<h3>Where the CPU time goes</h3>
<p class="note">Of a step of its own after the search, with every n8n process under profile. Shares are of the CPU time that the system counted. The raw profiles are in the run’s folder, under profiles; Chrome’s DevTools open them.</p>
${told.map((result) => {
  const { text, advice, processes } = result.explanation!
  return html`<p class="sentence">${told.length > 1 && html`<strong>${page.name(result)}</strong>: `}${text} ${advice}</p>
${processes.map((process) => table(process, `${process.process}, ${page.name(result)}, ${workflow}`))}`
})}`
}

function table(
  { process, elapsed, cpu, idle, unexplained, shares, allocated }: ExplainedProcess,
  label: string,
): Markup {
  const bytes = new Map(allocated.map(({ area, amount }) => [area, amount]))
  return html`<details>
<summary><strong>${process}</strong> <span class="note">${figure(cpu / elapsed)} cores, main thread idle ${wholePercent(idle)} of the time</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="CPU time of ${label}">
<table>
<thead><tr><th scope="col">What</th><th scope="col">Share of CPU</th><th scope="col">CPU seconds</th><th scope="col">Allocated</th></tr></thead>
<tbody>${shares.map(({ area, what, share, amount }) => html`<tr><th scope="row">${what}</th><td>${wholePercent(share)}</td><td>${figure(amount)}</td><td>${bytes.has(area) ? memory(bytes.get(area)!) : '–'}</td></tr>`)}
<tr><th scope="row">unexplained</th><td>${wholePercent(unexplained)}</td><td>${figure(unexplained * cpu)}</td><td>–</td></tr></tbody>
</table>
</div>
</details>`
}
