import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { readStat, startOf } from '../../support/processes.ts'

/** Who made a namespace, written on it: enough to see later whether that lab is gone. */
export interface Owner {
  /** Where process ids mean the same: a boot of a machine, and a container on it. */
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
    return hostname()
  }
}

/** A lab that lives says so every minute. */
export const heartbeat = 60_000
const silence = 5 * heartbeat

/** A lab of this machine is asked for; of another one only its silence tells. */
export async function isGone(
  owner: Partial<Owner> & { seen?: string },
  now: number,
  here = thisOwner(),
): Promise<boolean> {
  if (owner.place === here.place) {
    const stat = await readStat(Number(owner.pid))
    return stat === null || stat.state === 'Z' || String(stat.started) !== owner.started
  }
  return !(now - Date.parse(owner.seen ?? '') < silence)
}
