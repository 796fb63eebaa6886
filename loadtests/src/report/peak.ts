import { memory, percent } from '../lib/figures.ts'
import type { Resources, Result } from '../model/result.ts'

/** The process that used the most memory, because its limit matters. */
export function hungriest(result: Result): Resources | null {
  const known = result.resources.filter((resources) => resources.rss !== null)
  return known.toSorted((a, b) => b.rss!.max - a.rss!.max)[0] ?? null
}

/** `704 MiB of 1 GiB`, with the process if there are several. */
export function peakMemory(result: Result): string | null {
  const resources = hungriest(result)
  if (!resources?.rss) return null
  const limit = resources.limit.memory === null ? '' : ` of ${memory(resources.limit.memory)}`
  const who = result.resources.length > 1 ? ` (${resources.process})` : ''
  // Runs of earlier versions also counted pages that are charged to other processes.
  return memory(Math.min(resources.rss.max, resources.limit.memory ?? Infinity)) + limit + who
}

/** Errors of a step as a share of its requests. */
export function errorShare({ requests, accepted }: { requests: number; accepted: number }): string {
  return requests === 0 ? '–' : percent((requests - accepted) / requests)
}
