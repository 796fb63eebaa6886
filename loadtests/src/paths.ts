import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where things are in the repository. */
export const root = resolve(import.meta.dirname, '../..')
export const paths = {
  chart: join(root, 'charts/n8n-tuned'),
  profiles: join(root, 'loadtests/profiles'),
  scenarios: join(root, 'loadtests/scenarios'),
  workflows: join(root, 'workflows'),
  installRuntime: join(root, 'loadtests/runtimes/install'),
  results: join(root, 'results'),
}

/** Decided once by tools/install: a program on PATH that serves, or the project's own. */
export const tool = (name: string) => join(root, 'tools/bin', name)

export const cacheDir =
  process.env.N8N_TUNED_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-tuned')
