import { readdirSync, readlinkSync } from 'node:fs'
import { fromKernel } from '../../../lib/processes.ts'

/** The present connections of these processes to other machines, as `address:port`. */
export function connectionsAway(pids: number[]): string[] {
  const far = ['tcp', 'tcp6'].flatMap((table) => farRows(fromKernel(`/proc/${pids[0]}/net/${table}`) ?? ''))
  if (far.length === 0) return []
  const own = new Set(pids.flatMap(socketsOf))
  return far.filter(({ inode }) => own.has(inode)).map(({ remote }) => remote)
}

const listening = '0A'

/** Rows of the kernel’s table whose remote end is not this machine’s loopback. */
export function farRows(table: string): { remote: string; inode: string }[] {
  const rows = table
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([, , remote = '', state, , , , , , inode = '']) => {
    const [address = '', port = ''] = remote.split(':')
    const bytes = address.match(/.{8}/g)?.map(swapped).join('') ?? ''
    if (state === listening || isLoopback(bytes)) return []
    return [{ remote: `${readable(bytes)}:${parseInt(port, 16)}`, inode }]
  })
}

/** The kernel writes each word of an address in the machine’s byte order. */
const swapped = (word: string) => word.match(/../g)!.reverse().join('')

const mapped = '00000000000000000000ffff'
const isLoopback = (bytes: string) =>
  /^7f/.test(bytes.toLowerCase().replace(new RegExp(`^${mapped}`), '')) || /^0*1?$/.test(bytes)

function readable(bytes: string): string {
  const short = bytes.toLowerCase().replace(new RegExp(`^${mapped}`), '')
  if (short.length === 8)
    return short
      .match(/../g)!
      .map((byte) => parseInt(byte, 16))
      .join('.')
  return `[${short
    .match(/.{4}/g)!
    .map((group) => group.replace(/^0{1,3}/, ''))
    .join(':')
    .toLowerCase()}]`
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    )
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
