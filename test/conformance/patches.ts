import { join } from 'node:path'
import { paths } from '../../loadtests/src/paths.ts'

/** What n8n is told so that the patches of the chart are in force, and nothing else of it. */
export async function patchesOf(version: string): Promise<Record<string, string>> {
  const line1 = ['spareIsolates']
  const names = ['fewerQueries', 'lightIsolates', 'noQueryTraces', 'settledConnections', 'boundedWebhooks', ...(version.startsWith('1.') ? line1 : [])]
  return { NODE_OPTIONS: names.map((name) => `--require ${join(paths.chart, 'files/preload', `${name}.js`)}`).join(' ') }
}
