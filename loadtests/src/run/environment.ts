import { cpus, loadavg, release as kernel, totalmem } from 'node:os'
import { execa } from 'execa'
import { figure } from '../lib/figures.ts'
import { tool } from '../lib/paths.ts'
import type { Target } from '../targets/target.ts'
import type { Environment } from '../model/environment.ts'
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
      ...(target.limits.enforced
        ? []
        : [
            'Limits not enforced: this machine allows neither control groups nor systemd scopes, so CPU and '
              + 'memory are the machine’s own.',
          ]),
      ...(shared ? ['The generator shares its core with n8n: capacity is understated.'] : []),
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
function noise(stillness: Stillness | null, loadAverage: number, cores: number): string[] {
  const told = 'The machine was not quiet'
  if (stillness)
    return stillness.quiet
      ? []
      : [`${told}, though the run waited: other programs kept ${figure(stillness.busy)} of its ${cores} cores busy.`]
  return loadAverage > quiet * cores
    ? [`${told}: load average ${loadAverage} on ${cores} cores when the run began.`]
    : []
}

async function toolVersions(): Promise<Record<string, string>> {
  const [k6, helm] = await Promise.all([versionOf('k6', ['version']), versionOf('helm', ['version', '--short'])])
  return { ...(k6 && { k6 }), ...(helm && { helm }) }
}

async function versionOf(name: 'k6' | 'helm', args: string[]): Promise<string | undefined> {
  const { stdout } = await execa(tool(name), args, { reject: false })
  return /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
}
