import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { until } from '../../../lib/await.ts'
import type { Runtime } from './runtime.ts'

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
