import { execa } from 'execa'
import { until } from '../../lib/await.ts'

/**
 * A disk of one folder's own, in memory. Only a process that enters sees it, and it goes with the last one, so nothing
 * of it stays if the lab is killed.
 */
export interface OwnDisk {
  /** The command that runs `argv` where the disk is seen. */
  enter(argv: string[], cwd: string): string[]
  /** Leaves no room on it; returns a function that gives the room back. */
  fill(): Promise<() => Promise<void>>
}

/** More than a run of minutes writes. */
const room = '4g'

/** The folder's content moves to the disk: the working directory is still the folder beneath it. */
const mounting = ['cd "$1"', `mount -t tmpfs -o size=${room} tmpfs "$1"`, 'cp -a . "$1"'].join(' && ')

/** Writes nothing: the disk shrinks to what is on it. */
const filling = 'mount -o remount,size=$(($(df --block-size=1 --output=used "$1" | tail -n 1))) "$1"'

/** `holder`: the process whose mounts the disk is one of. */
export async function mountOwnDisk(folder: string, holder: number): Promise<OwnDisk> {
  const enter: OwnDisk['enter'] = (argv, cwd) => ['nsenter', `--mount=/proc/${holder}/ns/mnt`, `--wdns=${cwd}`, ...argv]
  const run = (script: string, reject = true) => {
    const [command, ...words] = enter(['/bin/sh', '-c', script, 'own-disk', folder], '/')
    return execa(command!, words, { reject })
  }
  await run(mounting)
  return {
    enter,
    async fill() {
      // It does not shrink below what was written since df looked.
      const filled = async () => !(await run(filling, false)).failed
      if (!(await until(filled, { timeout: 10_000, every: 50 }))) await run(filling)
      return async () => void (await run(`mount -o remount,size=${room} "$1"`))
    },
  }
}
