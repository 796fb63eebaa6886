import type { Summary } from '../src/analyse/summary.ts'
import { provenance, tables } from './tables.ts'

/** `<!-- evidence: TABLE RUN -->`, what stands there, and `<!-- end of evidence -->`. */
const place = /(<!-- evidence: ([\w-]+) ([\w-]+) -->\n)[^]*?(<!-- end of evidence -->)/g

/** The page with each of its tables made anew from the run that it names. */
export async function fill(page: string, summaryOf: (run: string) => Promise<Summary>): Promise<string> {
  const runs = new Map<string, Summary>()
  for (const [, , , run] of page.matchAll(place)) runs.set(run!, await summaryOf(run!))
  return page.replace(place, (_, opening: string, name: string, run: string, closing: string) => {
    const table = tables[name]
    if (!table) throw new Error(`Expected a table of ${Object.keys(tables).join(', ')}, got ${name}.`)
    const summary = runs.get(run)!
    return `${opening}\n${table(summary)}\n\n${provenance(summary)}\n\n${closing}`
  })
}
