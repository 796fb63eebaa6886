import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { paths } from '../paths.ts'
import type { Values } from '../profile/experiment.ts'
import { mergeValues } from '../values.ts'
import { render } from './render.ts'

/** The chart's single settings of the tuned profile, and which of them change anything with these values. */
export async function tuningsOf(values: Values): Promise<{ working: string[]; idle: string[] }> {
  const defaults = parse(await readFile(join(paths.chart, 'values.yaml'), 'utf8')) as { tuning: Values }
  const settings = Object.keys(defaults.tuning).filter((setting) => setting !== 'profile')
  const rendered = async (tuning: Values) => JSON.stringify((await render(mergeValues(values, { tuning }))).workloads)
  const tuned = await rendered({})
  const without = await Promise.all(settings.map((setting) => rendered({ [setting]: false })))
  return {
    working: settings.filter((_, index) => without[index] !== tuned),
    idle: settings.filter((_, index) => without[index] === tuned),
  }
}
