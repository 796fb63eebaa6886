import type { Summary } from '../model/summary.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { toActOn } from './advice.ts'
import { toldOf } from './choice.ts'
import { installing } from './commands.ts'
import type { Told } from './headroom.ts'
import { unanswered } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** A longer list of settings is not read. */
const MANY = 4

/** The settings that make the difference, and the command that installs all of them; else what to change first. */
export function toSet(summary: Summary, folder: string): Told {
  const { recommendation, experiment } = summary
  if (!recommendation) {
    const first = toldOf(summary).flatMap(toActOn)[0]
    return { text: [`Nothing yet. ${unanswered(summary)}`, first?.advice].filter(Boolean).join(' ') }
  }
  const own = experiment.variants.find(({ name }) => name === recommendation.variant)?.values ?? {}
  const inCell = Object.entries(recommendation.cell).map(([path, value]) => atPath(path, value))
  const [told = [], all] = [mergeValues(own, ...inCell), recommendation.values].map(leaves)
  const named = told.length > 0 ? told : (all ?? [])
  const more = named.length > MANY ? [`and ${named.length - MANY} more`] : []
  const settings = [...named.slice(0, MANY), ...more].join(', ')
  const command = installing(folder, summary.environment)
  return { text: settings ? `${settings}.` : 'Nothing: the chart’s own defaults.', command }
}

/** `main.resources.limits.cpu: 2` */
function leaves(values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value as Values).map((leaf) => `${key}.${leaf}`)
      : [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
}
