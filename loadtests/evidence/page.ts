import { articles, type Measured } from '../articles/articles.ts'
import { memory } from '../src/lib/figures.ts'
import type { Summary } from '../src/model/summary.ts'
import { moment } from '../src/report/environment.ts'
import { provenance, reasonsTable, tables } from './tables.ts'

/** A run of the lab, or what an article's experiment measured. */
export type Kept = Summary | Measured

/**
 * `<!-- evidence: TABLE RUN… -->`, what stands there, and `<!-- end of evidence -->`. The table of reasons has no
 * run.
 */
const place = /(<!-- evidence: ([\w-]+)((?: [\w-]+)*) -->)\n[^]*?(<!-- end of evidence -->)/g

const runsOf = (named: string) => named.split(' ').filter(Boolean)

/** Renders each table of the page again from the runs that it names; if a run is missing, the table says so. */
export async function fill(page: string, keptOf: (run: string) => Promise<Kept | null>): Promise<string> {
  const runs = new Map<string, Kept | null>()
  for (const [, , , named] of page.matchAll(place)) {
    for (const run of runsOf(named!)) runs.set(run, await keptOf(run))
  }
  return page.replace(place, (_, opening: string, name: string, named: string, closing: string) => {
    const missing = runsOf(named).filter((run) => !runs.get(run))
    if (missing.length > 0)
      return [
        opening,
        `Not measured with these settings yet: \`make evidence RUNS="${missing.join(' ')}"\` does it.`,
        closing,
      ].join('\n\n')
    return [
      opening,
      ...filling(
        name,
        runsOf(named).map((run) => runs.get(run)!),
      ),
      closing,
    ].join('\n\n')
  })
}

function filling(name: string, kept: Kept[]): string[] {
  if (name === 'reasons') return [reasonsTable()]
  if (name === 'article') return (kept as Measured[]).flatMap((one) => [articleTable(one), articleSource(one)])
  const make = tables[name]
  if (!make) throw new Error(`Expected a table of article, ${Object.keys(tables).join(', ')}, got ${name}.`)
  const summaries = kept as [Summary, ...Summary[]]
  return [make(...summaries), ...summaries.map(provenance)]
}

const articleTable = ({ article, rows }: Measured) => articles[article]!.table(rows)

const articleSource = ({ command, startedAt, machine, loadAverage, versions }: Measured): string =>
  [
    `${command}, ${moment(new Date(startedAt).toISOString())}`,
    Object.entries(versions)
      .map(([what, version]) => `${what} ${version}`)
      .join(', '),
    `${machine.cpu}, ${machine.cores} cores, ${memory(machine.memory)}`,
    `load average before ${loadAverage ?? 'unknown'}`,
  ].join(' · ')
