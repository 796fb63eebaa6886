import { appendFileSync, mkdirSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { groupMembers, isAlive, killAll, killGroup, readStat, startOf } from '../../support/processes.ts'
import { removeContainers } from './containers/sweep.ts'

const family = join(tmpdir(), `n8n-tuned-${userInfo().uid}`)

/** This run's folder for everything that ends with it: volumes, and the list of started processes. */
export interface Scratch {
  path: string
  /** Writes down a process group, so that a later run can end it if this run is killed. */
  track(pid: number): void
  /** Writes down the runtime of this lab's containers for the same reason; returns the label for them. */
  labelFor(program: string): Promise<string>
  remove(): Promise<void>
}

export async function makeScratch(owner = process.pid): Promise<Scratch> {
  const path = join(family, String(owner))
  await rm(path, { recursive: true, force: true })
  // Other users may pass through to folders that are theirs; each pod's folder is closed itself.
  await mkdir(path, { recursive: true })
  await chmod(family, 0o711)
  await chmod(path, 0o711)
  const started = new Map<number, number | null>()
  // After a second signal to stop, there is no time to end processes in order.
  const endAll = () => {
    for (const [pid, start] of started) if (start !== null && startOf(pid) === start) killGroup(pid)
  }
  process.on('exit', endAll)
  return {
    path,
    track(pid) {
      // Written at once, before anything else happens: a note in a buffer would be lost with the process.
      mkdirSync(path, { recursive: true })
      started.set(pid, startOf(pid))
      appendFileSync(join(path, 'groups'), `${pid} ${started.get(pid)}\n`)
    },
    async labelFor(program) {
      await writeFile(join(path, 'runtime'), program)
      return labelOf(path)
    },
    remove() {
      process.off('exit', endAll)
      return rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const labelOf = (path: string) => `n8n-tuned=${path}`

/** Ends what earlier runs left behind, if their own process is gone. */
export async function sweepScratch(): Promise<void> {
  for (const owner of await readdir(family).catch(() => [])) {
    if (isAlive(Number(owner))) continue
    const path = join(family, owner)
    const runtime = await readFile(join(path, 'runtime'), 'utf8').catch(() => '')
    if (runtime) await removeContainers(runtime, labelOf(path))
    const groups = await readFile(join(path, 'groups'), 'utf8').catch(() => '')
    for (const line of groups.split('\n').filter(Boolean)) {
      const [group, started] = line.split(' ').map(Number) as [number, number]
      if (await isOurs(group, started, path)) await killAll(() => groupMembers(group))
    }
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * By now, the group's number may belong to other processes. It is ours while its leader is the process that we started.
 * Without the leader, the others have our scratch folder in their environment.
 */
async function isOurs(group: number, started: number, path: string): Promise<boolean> {
  const leader = await readStat(group)
  if (leader) return leader.started === started
  const members = await groupMembers(group)
  const environs = await Promise.all(members.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')))
  return environs.some((environ) => environ.includes(`${path}/`) || environ.includes(`${path}\0`))
}
