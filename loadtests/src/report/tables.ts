import { count, memory } from '../lib/figures.ts'
import type { Result } from '../model/result.ts'

/** Tables in Markdown. */

export function table(head: string[], rows: string[][]): string {
  const line = (texts: string[]): string => `| ${texts.map((one) => text(one).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** What each process did of the work, and what it used. */
export function processTable(results: Result[], name: (result: Result) => string): string {
  const rows = results.flatMap((result) =>
    result.resources.map(({ process, requests, cpu, rss }) => [
      name(result),
      process,
      requests === null ? '–' : count(requests),
      cpu ? cpu.mean.toFixed(2) : '–',
      rss ? memory(rss.mean) : '–',
      rss ? memory(rss.max) : '–',
    ]),
  )
  return table(['Configuration', 'Process', 'Requests', 'CPU, cores', 'Memory', 'Peak memory'], rows)
}

/** Text from a profile or a log must not become markup, nor break its line. */
export const text = (value: string): string => value.replace(/\s+/g, ' ').replace(/[\\`*_<>[\]]/g, '\\$&')
