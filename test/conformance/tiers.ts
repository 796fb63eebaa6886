import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Container, Workload } from '../../loadtests/src/chart/plan.ts'
import { render } from '../../loadtests/src/chart/render.ts'
import type { Setup } from './stores.ts'

/** n8n's settings from the chart: the same on both sides, and the patches on one. */
export interface Tiers {
  plain: Record<string, string>
  patched: Record<string, string>
  /** The patches that the chart applies to this n8n in this set-up. */
  patches: string[]
}

const mounted = '/opt/n8n-tuned/patches'
/** History, statistics and insights are kept: they are compared as well. */
const kept = { discardSuccess: false, noStatistics: false, noInsights: false }
/** Beside those of the tier, every patch that is chosen by itself and works in this set-up. */
const chosen = (version: string, setup: Setup) => ({
  refuseExcessWebhooks: true,
  ...(setup === 'queue' && { confirmCrashes: true, keepLostRequests: true }),
  ...(setup === 'queue' && version.startsWith('2.') && { freeJobResults: true }),
  ...(setup !== 'sqlite' && version.startsWith('2.') && { waitForPostgresql: true }),
})

const values = (version: string, setup: Setup, tuning: object) => ({
  image: { tag: version },
  executions: { mode: setup === 'queue' ? 'queue' : 'regular' },
  database: { type: setup === 'sqlite' ? 'sqlite' : 'embedded' },
  encryptionKey: { value: 'the-same-on-both-sides' },
  tuning,
})

const patchedValues = (version: string, setup: Setup) =>
  values(version, setup, { tier: 'patched', settings: kept, patches: chosen(version, setup) })

/** Renders the chart, and puts the patches that it mounts into the folder. */
export async function tiersOf(version: string, setup: Setup, folder: string): Promise<Tiers> {
  const before = n8nOf((await render(values(version, setup, { tier: 'n8n-defaults' }))).workloads)
  const after = n8nOf((await render(patchedValues(version, setup))).workloads)
  await writeMounted(after, folder)
  const isTuned = ([name, value]: [string, string]) => before.container.env[name] !== value
  const env = Object.fromEntries(Object.entries(after.container.env).filter(isTuned))
  const { N8N_TUNED_PATCHES: patches = '', NODE_OPTIONS: options = '', ...settings } = env
  const flags = options.split(/ (?=--)/)
  return {
    plain: { ...settings, NODE_OPTIONS: flags.filter((flag) => !flag.startsWith('--require')).join(' ') },
    patched: { ...settings, NODE_OPTIONS: options.replaceAll(mounted, folder), N8N_TUNED_PATCHES: patches },
    patches: patches.split(',').filter(Boolean),
  }
}

interface Rendered {
  workload: Workload
  container: Container
}

function n8nOf(workloads: Workload[]): Rendered {
  const workload = workloads.find(({ component }) => component === 'main')!
  return { workload, container: workload.containers.find(({ name }) => name === 'n8n')! }
}

async function writeMounted({ workload, container }: Rendered, folder: string): Promise<void> {
  const mount = container.mounts.find(({ path }) => path === mounted)
  const volume = workload.volumes.find(({ name }) => name === mount?.volume)
  if (volume?.kind !== 'files')
    throw new Error(`Expected the chart to mount files at ${mounted}, got ${volume?.kind ?? 'nothing'}`)
  for (const [name, content] of Object.entries(volume.files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
