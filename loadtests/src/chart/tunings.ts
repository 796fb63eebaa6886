import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { yamlValue } from '../lib/yaml.ts'
import { mergeValues } from '../lib/values.ts'
import { paths } from '../lib/paths.ts'
import { isolate } from './isolate/isolate.ts'
import { render } from './render.ts'
import type { Values } from '../model/experiment.ts'

const groups = ['settings', 'patches'] as const

/** A single setting or patch of the chart. */
export interface Tuning {
  name: string
  group: (typeof groups)[number]
}

export interface Tunings {
  /** With these values: `tuned`. */
  tier: string
  working: Tuning[]
  idle: Tuning[]
}

/** The chart's single settings and patches, and which of them have an effect with these values. */
export async function tuningsOf(values: Values): Promise<Tunings> {
  const file = await readFile(join(paths.chart, 'values.yaml'), 'utf8')
  const { tuning: defaults } = yamlValue(file) as { tuning: Record<Tuning['group'], Values> }
  const all = groups.flatMap((group) => Object.keys(defaults[group]).map((name) => ({ name, group })))
  const rendered = async (over: Values) => render(mergeValues(isolate(values).values, over))
  const whole = await rendered({})
  const others = await Promise.all(all.map((tuning) => rendered(withoutTuning(tuning))))
  const changes = (index: number) => JSON.stringify(others[index]!.workloads) !== JSON.stringify(whole.workloads)
  return {
    tier: whole.tier!.name,
    working: all.filter((_, index) => changes(index)),
    idle: all.filter((_, index) => !changes(index)),
  }
}

/** The values without it, whatever the tier. */
export const withoutTuning = ({ name, group }: Tuning): Values => ({ tuning: { [group]: { [name]: false } } })
