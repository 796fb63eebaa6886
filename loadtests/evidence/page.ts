import type { Summary } from '../src/model/summary.ts'
import { provenance, tables } from './tables.ts'

/** `<!-- evidence: TABLE RUN… -->`, what stands there, and `<!-- end of evidence -->`. */
const place = /(<!-- evidence: ([\w-]+) ([\w- ]+) -->)\n[^]*?(<!-- end of evidence -->)/g

/** Renders each table of the page again from the runs that it names; if a run is missing, the table says so. */
export async function fill(page: string, summaryOf: (run: string) => Promise<Summary | null>): Promise<string> {
  const runs = new Map<string, Summary | null>()
  for (const [, , , named] of page.matchAll(place)) {
    for (const run of named!.split(' ')) runs.set(run, await summaryOf(run))
  }
  return page.replace(place, (_, opening: string, name: string, named: string, closing: string) => {
    const make = tables[name]
    if (!make) throw new Error(`Expected a table of ${Object.keys(tables).join(', ')}, got ${name}.`)
    const missing = named.split(' ').filter((run) => !runs.get(run))
    if (missing.length > 0)
      return [
        opening,
        `Not measured with these settings yet: \`make evidence RUNS="${missing.join(' ')}"\` does it.`,
        closing,
      ].join('\n\n')
    const summaries = named.split(' ').map((run) => runs.get(run)!) as [Summary, ...Summary[]]
    return [opening, make(...summaries), ...summaries.map(provenance), closing].join('\n\n')
  })
}
