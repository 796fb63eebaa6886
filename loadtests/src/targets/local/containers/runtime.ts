import { execa } from 'execa'
import { localErrors } from '../errors.ts'

/** The only ones that the lab ever runs, found by name on PATH. */
export const runtimes = ['docker', 'podman'] as const

/** Docker or Podman, whichever works here. */
export interface Runtime {
  program: (typeof runtimes)[number]
  version: string
  /** Whether it enforces limits of CPU and memory on this machine. */
  limits: boolean
}

/** For each: how to ask for its version, and for whether it can set limits. */
const questions = {
  docker: { format: '{{.ServerVersion}} {{.MemoryLimit}} {{.CPUCfsQuota}}', limits: /true true$/ },
  podman: { format: '{{.Version.Version}} {{.Host.CgroupControllers}}', limits: /\bcpu\b.*\bmemory\b/ },
} as const

/** The first that is on PATH and answers: Docker's client may be there without its daemon. */
export async function findRuntime(path = process.env.PATH ?? '', timeout = 20_000): Promise<Runtime> {
  const refusals: string[] = []
  for (const program of runtimes) {
    const { format, limits } = questions[program]
    const { failed, code, stdout, stderr } = await execa(program, ['info', '--format', format], {
      env: { PATH: path },
      reject: false,
      timeout,
    })
    if (!failed) return { program, version: stdout.split(' ')[0]!, limits: limits.test(stdout) }
    if (code !== 'ENOENT')
      refusals.push(`${program}: ${stderr.split('\n').filter(Boolean).at(-1) ?? 'it did not answer'}`)
  }
  throw localErrors.noContainerRuntime(refusals)
}

export const nameOf = ({ program, version }: Runtime) => `${program} ${version}`
