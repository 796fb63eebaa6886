import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { paths } from '../../loadtests/src/paths.ts'
import { runtime } from './runtime.ts'

/** Runs a script on that n8n's Node and packages, with and without one of the chart's files loaded before it; it prints JSON. */
export function eachWay(version: string, setting: string, script: string, ...common: string[]): { plain: unknown; preloaded: unknown } {
  const { folder, node } = runtime(version)
  const run = (...flags: string[]) =>
    JSON.parse(execFileSync(node, [...common, ...flags, '-e', script], { cwd: join(folder, 'node_modules/n8n'), encoding: 'utf8', env: { PATH: process.env.PATH } })) as unknown
  return { plain: run(), preloaded: run('--require', join(paths.chart, 'files/preload', `${setting}.js`)) }
}
