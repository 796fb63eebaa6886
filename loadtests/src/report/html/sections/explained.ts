import { figure, memory } from '../../../lib/figures.ts'
import { wholePercent } from '../../explained.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'
import type { ExplainedProcess } from '../../../model/explanation.ts'
import type { Result } from '../../../model/result.ts'

/** Where the CPU time of each process went, and what would cut the largest share. */
export function explained(results: Result[], workflow: string, page: Page): Markup | null {
  const told = results.filter(({ explanation }) => explanation !== null)
  if (told.length === 0) return null
  return html`<h3>Where the CPU time goes</h3>
<p class="note">${about}</p>
${told.map((result) => {
  const { text, advice, processes } = result.explanation!
  const name = page.name(result)
  const whose = told.length > 1 && html`<strong>${name}</strong>: `
  return html`<p class="sentence">${whose}${text} ${advice}</p>
${processes.map((process) => shares(process, `${process.process}, ${name}, ${workflow}`))}`
})}`
}

const about =
  'Of a step of its own after the search, with every n8n process under profile. Shares are of the CPU time that the '
  + 'system counted. The raw profiles are in the run’s folder, under profiles; Chrome’s DevTools open them.'

const columns = ['What', 'Share of CPU', 'CPU seconds', 'Allocated']

function shares(told: ExplainedProcess, label: string): Markup {
  const { process, elapsed, cpu, idle, unexplained, allocated } = told
  const bytes = new Map(allocated.map(({ area, amount }) => [area, amount]))
  const rows = told.shares.map(({ area, what, share, amount }) => [
    what,
    wholePercent(share),
    figure(amount),
    bytes.has(area) ? memory(bytes.get(area)!) : '–',
  ])
  const rest = ['unexplained', wholePercent(unexplained), figure(unexplained * cpu), '–']
  const used = `${figure(cpu / elapsed)} cores, main thread idle ${wholePercent(idle)} of the time`
  return html`<details>
<summary><strong>${process}</strong> <span class="note">${used}</span></summary>
${table(`CPU time of ${label}`, columns, [...rows, rest])}
</details>`
}
