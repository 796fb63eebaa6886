import type { Seen } from '../seen.ts'
import { roleOf } from '../roles.ts'
import { busyOf } from './cpu.ts'
import type { Shortage } from './found.ts'

/** What executions wait for while there is CPU to spare. */

/** Milliseconds. On a machine at work Redis answers within a few. */
const slow = 50

export const redis = ({ redis: took }: Seen): Shortage | null =>
  took === null || took < slow ? null : { code: 'redis', by: 'redis', process: null, took }

/** Connections that read the list at every moment: one that is open takes milliseconds where it has an index. */
const reading = 0.5

/** What the open lists of executions take of PostgreSQL, nothing else can have: CPU, and connections. */
export function lists({ lists: seen }: Seen): Shortage | null {
  if (!seen || seen.reading < reading || seen.reading < seen.active / 2) return null
  return { code: 'execution-list', by: 'lists', process: null, ...seen }
}

/** PostgreSQL writes one journal: it is busy whenever a connection waits for it. */
const always = 0.8

export const disk = ({ disk: share }: Seen): Shortage | null =>
  share === null || share < always ? null : { code: 'database-disk', by: 'disk', process: null, share }

const full = 0.9

export function pool({ processes, disk: asked }: Seen): Shortage | null {
  const found = processes.find(({ pool }) => pool && pool.active >= full * pool.max && pool.waiting >= 1)
  if (!found) return null
  const { max: most, waiting } = found.pool!
  return { code: 'database-pool', by: 'pool', process: found.process, most, waiting, isPostgresql: asked !== null }
}

export function slots({ executions, slots: most }: Seen): Shortage | null {
  if (executions === null || most === null || executions.active < full * most) return null
  const { active, waiting } = executions
  return waiting !== null && waiting < 1
    ? null
    : { code: 'concurrency', by: 'slots', process: null, active, most, waiting }
}

/** More CPU than this is not idle: executions pile up, and requests wait, for want of it, too. */
const idle = 0.65

const hasCpuToSpare = ({ processes }: Seen) => !processes.some((one) => roleOf(one.process) && busyOf(one) > idle)

/** Each Code node takes a slot of its runner for as long as its code runs, or waits. */
export function runner(seen: Seen): Shortage | null {
  const { executions, runner: most } = seen
  if (executions === null || most === null || executions.active < full * most || !hasCpuToSpare(seen)) return null
  return { code: 'runner-slots', by: 'runner', process: null, active: executions.active, most }
}

/** Of a request: what takes more than this share is what limits it. */
const most = 0.5

/** Where callers are answered before the calls, they wait for none of them. */
export function services(seen: Seen): Shortage | null {
  const { request } = seen
  if (request === null || request.services > request.all || request.services < most * request.all) return null
  return hasCpuToSpare(seen) ? { code: 'services', by: 'services', process: null, ...request } : null
}
