import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../loadtests/src/lib/paths.ts'

/** The patches, their loader and the list of what they were verified on, as the chart's ConfigMap holds them. */
export function patchFiles(folder: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(join(paths.chart, 'files/patches'), folder, { recursive: true })
  cpSync(join(paths.chart, 'files/verified-n8n.json'), join(folder, 'verified-n8n.json'))
  return join(folder, 'loader.js')
}
