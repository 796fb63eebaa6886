import { spawnSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { execa } from 'execa'
import { until } from '../../../lib/await.ts'
import { usage } from '../../../lib/errors.ts'

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
  throw usage(
    'no-container-runtime',
    `Expected Docker or Podman on PATH for --engine container, got ${refusals.join('; ') || 'none'}.`,
    'Install one (Debian and Ubuntu: apt-get install podman) or start its daemon; or leave --engine out, '
      + 'since processes need none.',
  )
}

export const containersBy = (runtime: Runtime) => `containers of ${runtimeName(runtime)}`
export const runtimeName = ({ program, version }: Runtime) => `${program} ${version}`

/** Removes every container with the label, including those that a client of a dead lab is still making. */
export async function removeContainers(program: Runtime['program'], label: string): Promise<void> {
  await until(
    async () => {
      const making = await clientsOf(label)
      const { stdout } = await execa(program, listing(label), { reject: false })
      const ids = idsIn(stdout ?? '')
      if (ids.length) await execa(program, removing(ids), { reject: false })
      return ids.length === 0 && !making
    },
    { timeout: 60_000, every: 100 },
  )
}

/** The same while this process exits, when nothing can be awaited; what it cannot reach now, the next run removes. */
export function removeContainersNow(program: Runtime['program'], label: string): void {
  const now = (args: string[]) => spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 })
  const ids = idsIn(now(listing(label)).stdout ?? '')
  if (ids.length) now(removing(ids))
}

const listing = (label: string) => ['ps', '--all', '--quiet', '--filter', `label=${label}`]
const removing = (ids: string[]) => ['rm', '--force', '--volumes', ...ids]
const idsIn = (text: string) => text.split('\n').filter(Boolean)

/** A killed client may leave an incomplete container, so the lab lets it finish. */
async function clientsOf(label: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.some((command) => command.includes(`\0run\0`) && command.includes(`\0--label\0${label}\0`))
}
