import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { supportErrors } from './support-errors.ts'

/** Where things are in the repository. */
export const root = resolve(import.meta.dirname, '../../..')
export const paths = {
  chart: join(root, 'charts/n8n-tuned'),
  profiles: join(root, 'loadtests/profiles'),
  scenarios: join(root, 'loadtests/scenarios'),
  workflows: join(root, 'workflows'),
  installRuntime: join(root, 'loadtests/runtimes/install'),
  redisOnLoopback: join(root, 'loadtests/runtimes/redis'),
  taskRunner: join(root, 'loadtests/runtimes/task-runner.mjs'),
  postgresqlEntrypoint: join(root, 'loadtests/runtimes/postgresql-entrypoint'),
  outside: join(root, 'loadtests/src/workload/outside/server/main.ts'),
  balancer: join(root, 'loadtests/src/targets/local/balancer-server.ts'),
  pm2Preload: join(root, 'loadtests/src/targets/pm2/preload.cjs'),
  faultyNetwork: join(root, 'loadtests/src/targets/kubernetes/faults/network.mjs'),
  movableClock: join(root, 'loadtests/src/targets/kubernetes/faults/clock.mjs'),
  bareServer: join(root, 'loadtests/src/run/calibrate/server.ts'),
  results: join(root, 'results'),
}

/** Decided once by tools/install: a suitable program on PATH, or the project's own. */
export function tool(name: string): string {
  const path = join(root, 'tools/bin', name)
  if (!existsSync(path)) throw supportErrors.missingTool(name)
  return path
}
