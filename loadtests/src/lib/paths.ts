import { existsSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { usage } from './errors.ts'
import { programOnPath } from './programs.ts'

/** Of the sources in a clone, and of what they were built to in the installed package. Both have the same folders. */
const extension = extname(import.meta.filename)

/** Whether this is the package `n8n-tuned`, and no clone of the repository. */
export const isInstalled = extension === '.js'

/** The repository, or the installed package. */
export const root = resolve(import.meta.dirname, '../../..')

export const paths = {
  chart: join(root, 'charts/n8n-tuned'),
  profiles: join(root, 'loadtests/profiles'),
  scenarios: join(root, 'loadtests/scenarios'),
  workflows: join(root, 'workflows'),
  services: join(root, 'loadtests/services'),
  samples: join(root, 'loadtests/samples'),
  installRuntime: join(root, 'loadtests/runtimes/install'),
  redisOnLoopback: join(root, 'loadtests/runtimes/redis'),
  taskRunner: join(root, 'loadtests/runtimes/task-runner.mjs'),
  postgresqlEntrypoint: join(root, 'loadtests/runtimes/postgresql-entrypoint'),
  outside: join(root, `loadtests/src/workload/outside/server/main${extension}`),
  outsideBundle: join(root, 'loadtests/src/workload/outside/server/bundle.mjs'),
  hide: join(root, 'loadtests/runtimes/hide'),
  door: join(root, `loadtests/src/targets/local/door${extension}`),
  balancer: join(root, `loadtests/src/targets/local/balancer-server${extension}`),
  pm2Preload: join(root, 'loadtests/src/chart/pm2/preload.cjs'),
  faultyNetwork: join(root, 'loadtests/src/targets/kubernetes/faults/network.mjs'),
  movableClock: join(root, 'loadtests/src/targets/kubernetes/faults/clock.mjs'),
  bareServer: join(root, `loadtests/src/run/calibrate/server${extension}`),
  /** A clone keeps its results; the package is not the place for a user's. */
  results: isInstalled ? resolve('results') : join(root, 'results'),
}

/** What a reader types, and where: in the clone's folder, or in the one where the package was called. */
export const typed = isInstalled
  ? { lab: 'n8n-tuned', chart: paths.chart, folder: process.cwd() }
  : { lab: './n8n-tuned', chart: 'charts/n8n-tuned', folder: root }

/** k6 or Helm: in a clone as tools/install decided once; the package takes what is on PATH. */
export function tool(name: 'k6' | 'helm'): string {
  if (isInstalled) return programOnPath(name)
  const path = join(root, 'tools/bin', name)
  if (existsSync(path)) return path
  throw usage(
    'missing-tool',
    `Expected ${name} to be installed, found nothing.`,
    'Run make setup in the project’s root.',
  )
}
