import { readdir, readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { until } from '../../../support/await.ts'

/** Removes every container with the label, including those that a client of a dead lab is still making. */
export async function removeContainers(program: string, label: string): Promise<void> {
  await until(
    async () => {
      const making = await clientsOf(label)
      const { stdout } = await execa(program, ['ps', '--all', '--quiet', '--filter', `label=${label}`], {
        reject: false,
      })
      const ids = (stdout ?? '').split('\n').filter(Boolean)
      if (ids.length) await execa(program, ['rm', '--force', '--volumes', ...ids], { reject: false })
      return ids.length === 0 && !making
    },
    { timeout: 60_000, every: 100 },
  )
}

/** A killed client may leave an incomplete container, so the lab lets it finish. */
async function clientsOf(label: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.some((command) => command.includes(`\0run\0`) && command.includes(`\0--label\0${label}\0`))
}
