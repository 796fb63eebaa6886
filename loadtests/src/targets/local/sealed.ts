import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { User } from '../../chart/plan.ts'
import { invalid, problemOf } from '../../lib/errors.ts'
import { cacheFolder } from '../../lib/own-files.ts'
import { isInstalled, paths, root } from '../../lib/paths.ts'
import { isAlive, killGroup } from '../../lib/processes.ts'
import { progressWords } from '../../report/progress-words.ts'
import { openLog } from './log.ts'
import type { HereAsked, Post } from './machine.ts'
import { reachFor, type Network, type Reach } from './network.ts'
import { asUser } from './volumes.ts'

/** How the lab can keep a plan apart from this machine. */
interface Means {
  /** Why it cannot, in words; null where it can. */
  missing: string | null
  /** Who runs n8n, where that is not the user who runs the lab. */
  user: User | null
}

const isRoot = () => process.getuid?.() === 0

/** Below and above it, systems give numbers to users and services. */
const free = { first: 60_706, last: 61_183 }

let own: User | undefined
/** A user that nothing else on the machine is: as `nobody`, n8n could end other programs and read their memory. */
function ownUser(): User {
  const users = ['passwd', 'group'].flatMap((table) =>
    readFileSync(`/etc/${table}`, 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  )
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid)
  const taken = new Set([...users, ...running])
  const count = free.last - free.first + 1
  const numbers = Array.from({ length: count }, (_, index) => free.first + ((process.pid + index) % count))
  const uid = numbers.find((number) => !taken.has(number)) ?? free.first
  return (own ??= { uid, gid: uid })
}

/** A user who is not root makes the namespaces within one of users, in which it keeps its number. */
const unsharing = (reach: Reach) => [
  'unshare',
  ...(isRoot() ? [] : ['--user', '--map-current-user', '--keep-caps']),
  ...(reach === 'closed' ? ['--net'] : []),
  '--ipc',
  '--mount',
]

/** How far n8n is kept apart from this machine. */
export interface Sealing {
  /** It can have a network without a way out. */
  canSeal: boolean
  /** What the user has to know of it, though nobody asked for that; null where it is as it should be. */
  said: string | null
}

export async function sealingHere({ engine, outside, open }: HereAsked): Promise<Sealing> {
  const told = (said: string) => (reachFor(outside, open) === 'closed' ? said : null)
  if (engine.runtime) return { canSeal: false, said: told(progressWords.containersNotSealed) }
  const { missing, user } = await meansHere()
  if (missing !== null) return { canSeal: false, said: told(progressWords.notSealed(missing)) }
  const asRoot = isRoot() && user === null
  return { canSeal: true, said: asRoot ? told(progressWords.rootSealed) : null }
}

/** The lab's own programs, and n8n. Not what it keeps: records, notes, secrets. */
function folders(): string[] {
  const ofLab = isInstalled
    ? [root.slice(0, root.lastIndexOf('/node_modules/') + '/node_modules'.length)]
    : ['loadtests', 'node_modules', 'package.json', 'dist'].map((name) => join(root, name))
  const node = dirname(realpathSync(process.execPath))
  return [...ofLab, node, join(cacheFolder(), 'n8n')]
}

const showing = () => folders().flatMap((folder) => ['show', folder])

const known = new Map<Reach, Promise<Means>>()

/** Only a try shows it: a kernel, a container and a security module may each forbid it. */
export function meansHere(reach: Reach = 'closed'): Promise<Means> {
  const means = known.get(reach) ?? tryOut(reach)
  known.set(reach, means)
  return means
}

function removeNow(view: string): void {
  try {
    rmdirSync(view)
  } catch {
    // It is gone already.
  }
}

/** Of labs that were killed while they tried. They hold nothing: what was mounted there went with its namespace. */
async function removeLeftTries(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = /^n8n-tuned-try-(\d+)-/.exec(name)?.[1]
    // Another user's folder stays, and so does one that has something in it: a try leaves none.
    if (owner && !isAlive(Number(owner))) await rmdir(join(tmpdir(), name)).catch(() => {})
  }
}

async function tryOut(reach: Reach): Promise<Means> {
  let view: string
  try {
    await removeLeftTries()
    // At once, so that the lab cannot be stopped between a folder and what removes it.
    view = mkdtempSync(join(tmpdir(), `n8n-tuned-try-${process.pid}-`))
    process.on('exit', () => removeNow(view))
  } catch (error) {
    // The run itself needs that folder too, and says what to do.
    return { missing: progressWords.noFolder(tmpdir(), problemOf(error)), user: null }
  }
  const tried = async (...program: string[]) => {
    const [command, ...args] = [...unsharing(reach), '/bin/sh', paths.hide, view, reach, ...showing(), '--', ...program]
    const { failed, stderr, shortMessage } = await execa(command!, args, { reject: false, timeout: 20_000 })
    return failed ? stderr.trim().split('\n').at(-1) || (shortMessage ?? 'it failed') : null
  }
  try {
    const missing = await tried('true')
    if (missing !== null || !isRoot()) return { missing, user: null }
    const user = ownUser()
    // A clone or a cache that only root reads cannot be run by another.
    const reads = `test -r '${paths.door}' && test -x '${process.execPath}'`
    return { missing, user: (await tried(...asUser(user, ['sh', '-c', reads]))) === null ? user : null }
  } finally {
    await rm(view, { recursive: true, force: true })
  }
}

/** Below those from which the kernel lets connections go out, and below those of n8n. */
export const doorPorts = [10_000, 19_999] as const

let opened = 0
/** An address of loopback that no other plan has: in a namespace of its own, all of them are its own. */
function nextAddress(): string {
  const number = (process.pid * 64 + opened++) % (128 * 254 * 254)
  return `127.${64 + Math.floor(number / 254 ** 2)}.${Math.floor(number / 254) % 254}.${1 + (number % 254)}`
}

const patience = 20_000

/** `given`: folders that the plan may write, each at its own path. */
export async function openSealed(reach: Reach, given: string[], post: Post): Promise<Network> {
  const { machine, order } = post
  const view = join(post.folder, 'view')
  await mkdir(view)
  const log = openLog(join(order.logs, 'network.log'), machine.fail)
  const [command, ...args] = machine.placeBeside([
    ...unsharing(reach),
    ...['/bin/sh', paths.hide, view, reach, ...showing()],
    ...given.flatMap((folder) => ['give', folder]),
    ...['--', process.execPath, '--no-warnings', paths.door],
  ])
  const door = spawn(command!, args, {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', TMPDIR: machine.scratch.path, FROM_PORTS: JSON.stringify(doorPorts) },
    // Not by Ctrl-C in a terminal: the lab ends it in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  log.follow(door.stdout!)
  log.follow(door.stderr!)
  const ended = once(door, 'close').catch(() => {})
  if (door.pid) machine.scratch.track(door.pid)
  post.started({
    async stop() {
      killGroup(door.pid)
      await ended
      log.close()
    },
  })
  const failed = () =>
    invalid(
      'network-failed',
      'Expected this machine to make a network of its own for n8n, but it did not.',
      'The last lines of its log say why.',
      log.tail(),
    )
  const heard = async () => {
    const signal = AbortSignal.any([order.signal, AbortSignal.timeout(patience)])
    const message = once(door, 'message', { signal })
    const outcome = await Promise.race([message, ended.then(() => null)]).catch(() => null)
    order.signal.throwIfAborted()
    if (outcome === null) throw failed()
  }
  await heard()
  const holder = door.pid!
  const entering = (...kinds: ('net' | 'ipc' | 'mnt')[]) => [
    'nsenter',
    ...(isRoot() ? [] : [`--user=/proc/${holder}/ns/user`, '--preserve-credentials']),
    ...kinds.map((kind) => `--${kind === 'mnt' ? 'mount' : kind}=/proc/${holder}/ns/${kind}`),
  ]
  const at = (argv: string[], cwd = '/') => [
    ...['/bin/sh', '-c', 'cd "$0" && exec setpriv --no-new-privs "$@"', cwd],
    ...argv,
  ]
  const address = reach === 'closed' ? nextAddress() : '127.0.0.1'
  const lead = async (port: number) => {
    const server = createServer().listen({ port, host: address })
    await once(server, 'listening')
    const taken = heard()
    door.send({ port }, server)
    await taken
    server.close()
  }
  // One after the other: an answer does not say to which it belongs.
  let last = Promise.resolve()
  return {
    address,
    listen: reach === 'closed' ? '0.0.0.0' : '127.0.0.1',
    holder,
    enter: (argv, cwd) => [
      ...entering(...(reach === 'closed' ? (['net'] as const) : []), 'ipc', 'mnt'),
      ...at(argv, cwd),
    ],
    enterToFetch: (argv, cwd) => [...entering('mnt'), ...at(argv, cwd)],
    join: (argv) => (reach === 'closed' ? [...entering('net'), ...argv] : argv),
    async open(ports) {
      if (reach === 'closed') for (const port of ports) await (last = last.then(() => lead(port)))
    },
  }
}
