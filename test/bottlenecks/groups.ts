import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the kernel's control groups tell of the lab's processes, and do to them. */

const groups = '/sys/fs/cgroup'
const blkio = join(groups, 'blkio')

/** The processes of one of the lab's containers. */
export async function pidsOf(lab: number, container: string): Promise<number[]> {
  const folder = join(groups, 'memory/n8n-tuned', String(lab), `plan-0-${container}`)
  return (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean).map(Number)
}

/** `254:0`, of the disk that temporary files are on; null where it is none of its own, or cannot be slowed down. */
export async function throttledDisk(): Promise<string | null> {
  const { dev } = await stat(tmpdir())
  // As glibc splits a device's number.
  const disk = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`
  return existsSync(join(blkio, 'blkio.throttle.write_iops_device')) && existsSync(`/sys/dev/block/${disk}`)
    ? disk
    : null
}

/** These processes, and those that they start, may write this often a second. */
export async function slowDisk(pids: number[], disk: string, writes: number): Promise<() => Promise<void>> {
  const folder = join(blkio, `n8n-tuned-test-${process.pid}`)
  await mkdir(folder)
  await writeFile(join(folder, 'blkio.throttle.write_iops_device'), `${disk} ${writes}`)
  for (const pid of pids) await writeFile(join(folder, 'cgroup.procs'), String(pid))
  // Whatever was in it has ended with the lab.
  return () => rmdir(folder)
}
