import type { Sample } from '../model/sample.ts'
import type { Series } from './series.ts'

type Value = string | number | null | undefined

/** For each column, its name and the source of its figure. Missing figures stay empty. */
const COLUMNS: Array<[string, (sample: Sample, series: Series) => Value]> = [
  ['time', (sample) => new Date(sample.at).toISOString()],
  ['variant', (_, series) => series.variant],
  ['workflow', (_, series) => series.workflow],
  ['cell', (_, series) => cellOf(series)],
  ['process', (sample) => sample.process],
  ['cpu_cores', (sample) => sample.cpu],
  ['rss_bytes', (sample) => sample.rss],
  ['heap_used_bytes', (sample) => sample.heapUsed],
  ['heap_total_bytes', (sample) => sample.heapTotal],
  ['external_bytes', (sample) => sample.external],
  ['event_loop_lag_ms', (sample) => sample.lag],
  ['pids', (sample) => sample.pids],
  ['executions_started', (sample) => sample.executions?.started],
  ['executions_succeeded', (sample) => sample.executions?.succeeded],
  ['executions_failed', (sample) => sample.executions?.failed],
]

/** Line by line: a run may have a million samples. */
export function* renderCsv(all: Series[]): Generator<string> {
  yield `${COLUMNS.map(([name]) => name).join(',')}\n`
  for (const series of all)
    for (const sample of series.samples)
      yield `${COLUMNS.map(([, value]) => quoted(value(sample, series))).join(',')}\n`
}

const cellOf = ({ cell }: Series): string =>
  Object.entries(cell)
    .map(([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

function quoted(value: Value): string {
  // A spreadsheet would take it for a formula.
  const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value ?? '')
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
