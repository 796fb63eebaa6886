import type { ExplainedProcess } from '../../../model/explanation.ts'
import type { Result } from '../../../model/result.ts'
import { aboutProfile, dearHead, dearRow, usedBy, wholeProfile } from '../../explained.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'

/** The functions that took most of each process's time. */
export function explained(results: Result[], workflow: string, page: Page): Markup | null {
  const told = results.filter(({ explanation }) => explanation !== null)
  if (told.length === 0) return null
  return html`<h3>Where the CPU time goes</h3>
${told.map((result) => {
  const name = page.name(result)
  const { processes } = result.explanation!
  const whose = told.length > 1 && html`<strong>${name}</strong>: `
  return html`<p class="note">${whose}${aboutProfile(result.explanation!)}</p>
${processes.map((process) => functions(process, `${process.process}, ${name}, ${workflow}`))}`
})}
<p class="note">${wholeProfile}</p>`
}

const functions = (process: ExplainedProcess, label: string): Markup =>
  html`<details>
<summary><strong>${process.process}</strong> <span class="note">${usedBy(process)}</span></summary>
${table(`The dearest functions of ${label}`, dearHead, process.functions.map(dearRow))}
</details>`
