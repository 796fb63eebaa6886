import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../loadtests/src/lib/paths.ts'

/** The names of all. */
export const everyPatch = Object.keys(
  JSON.parse(readFileSync(join(paths.chart, 'files/verified-n8n.json'), 'utf8')) as Record<string, unknown>,
)

/** The patches, their loader and the list of what they were verified on, as the chart's ConfigMap holds them. */
export function patchFiles(folder: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(join(paths.chart, 'files/patches'), folder, { recursive: true })
  cpSync(join(paths.chart, 'files/verified-n8n.json'), join(folder, 'verified-n8n.json'))
  return join(folder, 'loader.js')
}
