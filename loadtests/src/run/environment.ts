import { cpus, loadavg, release as kernel, totalmem } from 'node:os'
import { execa } from 'execa'
import { tool } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import type { Environment } from '../model/environment.ts'
import type { FoundWarning } from '../model/warning.ts'
import type { Stillness } from './quiet-machine.ts'

/** Above this share of the cores, other programs on the machine affect the figures. */
const quiet = 0.5

/** What a reader needs to know about the machine before trusting a figure. */
export async function describeEnvironment(
  target: Target,
  versions: Record<string, string>,
  stillness: Stillness | null,
): Promise<Environment> {
  const { machine, loadAverage, release, warnings } = target.surroundings
    ? { loadAverage: [], ...target.surroundings }
    : { release: undefined, ...thisMachine(stillness) }
  const shared = target.cores.target.some((core) => target.cores.generator.includes(core))
  return {
    machine,
    loadAverage,
    versions: { node: process.version.slice(1), ...(await toolVersions()), ...versions },
    engine: target.engine ?? null,
    limits: target.limits.enforced ? target.limits.kind : 'not enforced',
    cores: target.cores,
    calibration: null,
    lab: null,
    ...(release && { release }),
    warnings: [
      ...(target.limits.enforced ? [] : [{ code: 'limits-not-enforced' as const }]),
      ...(shared ? [{ code: 'generator-shares-core' as const }] : []),
      ...warnings,
    ],
  }
}

function thisMachine(stillness: Stillness | null) {
  const cores = cpus()
  const loadAverage = loadavg().map((value) => Number(value.toFixed(2)))
  return {
    machine: { cpu: cores[0]?.model ?? 'unknown', cores: cores.length, memory: totalmem(), kernel: kernel() },
    loadAverage,
    warnings: noise(stillness, loadAverage[0]!, cores.length),
  }
}

/** After a wait, the load average only tells of what the run waited for. */
function noise(stillness: Stillness | null, loadAverage: number, cores: number): FoundWarning[] {
  if (stillness) return stillness.quiet ? [] : [{ code: 'never-quiet', busy: stillness.busy, cores }]
  return loadAverage > quiet * cores ? [{ code: 'not-quiet', loadAverage, cores }] : []
}

async function toolVersions(): Promise<Record<string, string>> {
  const [k6, helm] = await Promise.all([versionOf('k6', ['version']), versionOf('helm', ['version', '--short'])])
  return { ...(k6 && { k6 }), ...(helm && { helm }) }
}

async function versionOf(name: 'k6' | 'helm', args: string[]): Promise<string | undefined> {
  const { stdout } = await execa(tool(name), args, { reject: false })
  return /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
}
