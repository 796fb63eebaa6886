import { readFileSync, readlinkSync } from 'node:fs'
import { readStat, startOf } from '../../lib/processes.ts'

/** The lab that made something in a cluster, noted there, so that others can see later whether that lab still runs. */
export interface Owner {
  /** Identifies where process ids are unique: one boot of a machine, and one container on it. Empty without /proc. */
  place: string
  pid: string
  started: string
}

export function thisOwner(): Owner {
  return { place: placeOf(), pid: String(process.pid), started: String(startOf(process.pid)) }
}

function placeOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/** A running lab renews its mark every minute. */
export const heartbeat = 60_000
const silence = 5 * heartbeat

/**
 * A lab counts as gone once it stops renewing its mark. Only one of this machine is known earlier, by its process, and
 * only where the system tells which processes run: macOS does not.
 */
export async function isGone(
  owner: Partial<Owner> & { seen?: string },
  now: number,
  here = thisOwner(),
): Promise<boolean> {
  if (here.place !== '' && owner.place === here.place) {
    const stat = await readStat(Number(owner.pid))
    return stat === null || stat.state === 'Z' || String(stat.started) !== owner.started
  }
  return !(now - Date.parse(owner.seen ?? '') < silence)
}
