import { cpus, loadavg, release as kernel, totalmem } from 'node:os'
import { execa } from 'execa'
import { tool } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import type { Environment } from '../model/environment.ts'
import type { FoundWarning } from '../model/warning.ts'
import type { Stillness } from './quiet-machine.ts'

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
    ...(target.engineReason && { engineReason: target.engineReason }),
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
    warnings: noise(stillness, cores.length),
  }
}

function noise(stillness: Stillness | null, cores: number): FoundWarning[] {
  if (!stillness || stillness.quiet) return []
  const { waited, busy } = stillness
  return [{ code: waited ? 'never-quiet' : 'not-quiet', busy, cores }]
}

async function toolVersions(): Promise<Record<string, string>> {
  const [k6, helm] = await Promise.all([versionOf('k6', ['version']), versionOf('helm', ['version', '--short'])])
  return { ...(k6 && { k6 }), ...(helm && { helm }) }
}

async function versionOf(name: 'k6' | 'helm', args: string[]): Promise<string | undefined> {
  const { stdout } = await execa(tool(name), args, { reject: false })
  return /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
}
