import { chmod, glob, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { noRunner } from '../refusals.ts'
import { until } from '../../lib/await.ts'
import { usage } from '../../lib/errors.ts'
import { faultElsewhere, needsApart, type ProcessFault } from '../../model/fault.ts'
import type { HereAsked } from './machine.ts'
import { type Network, machineNetwork, reachFor } from './network.ts'
import { findProgram } from './programs.ts'
import { doorPorts, meansHere } from './sealed.ts'
import type { OwnClock, OwnDisk, LocalPod } from './pod.ts'
import type { Started } from './ready.ts'

/** Refuses, before anything starts, faults that the lab could not inject there. */
export async function refuseFaultsHere(faults: ProcessFault[], { engine, outside, open }: HereAsked): Promise<void> {
  const inContainers = engine.runtime !== null
  if (faults.some(({ how }) => how === 'move-clock') && (inContainers || !(await clockLibrary())))
    throw needsClockLibrary()
  if (!faults.some(needsApart)) return
  if (inContainers || reachFor(outside, open) === 'open' || !(await canDropPackets())) throw needsOwnNetwork()
}

/** Injects a fault into the first container of one pod of a component, or of all its pods. */
export async function injectIntoContainers(
  { component, replicas, how }: ProcessFault,
  started: Started[],
): Promise<() => Promise<void>> {
  if (how === 'exhaust-memory' || how === 'evict' || how === 'roll') throw faultElsewhere()
  if (component === 'runner') return injectIntoLocalRunner(how, started)
  if (how === 'move-clock') return moveClock(started.map(({ pod }) => pod))
  const pods = started.filter(({ pod }) => pod.workload.component === component)
  const hit = pods.slice(0, replicas === 'one' ? 1 : undefined)
  const podsHit = hit.map(({ pod }) => pod)
  if (how === 'cut-off' || how === 'lossy') return dropPackets(podsHit, how)
  if (how === 'fill-disk') return fillDisks(podsHit)
  const containers = hit.map(({ pod, containers }) => containers.get(pod.name)!)
  const ends = await Promise.all(containers.map((container) => container.inject(how)))
  return async () => void (await Promise.all(ends.map((end) => end())))
}

/** All n8n processes of a plan share one. */
async function moveClock(pods: LocalPod[]): Promise<() => Promise<void>> {
  const clock = pods.find(({ clock }) => clock)?.clock
  if (!clock) throw needsClockLibrary()
  return clock.move()
}

/** How many of the packets a lossy network drops. TCP sends each again, and its receiver waits. */
const lossy = ['-m', 'statistic', '--mode', 'random', '--probability', '0.1']

/**
 * Drops all packets between n8n and the pods, or some, as a network does that fails without a word: no connection is
 * refused or ended. The lab’s own connections stay. The rules are those of the plan’s own
 * network, and go with it if the lab is killed. Returns a function that lets packets through again.
 */
export async function dropPackets(pods: LocalPod[], how: 'cut-off' | 'lossy'): Promise<() => Promise<void>> {
  const chosen = how === 'lossy' ? lossy : []
  const rules = pods.flatMap(({ network, ports }) => {
    if (network === machineNetwork) throw needsOwnNetwork()
    return [...ports.values()].flatMap((port) => droppingAt(port, chosen).map((rule) => ({ network, rule })))
  })
  const tell = async (action: '-I' | '-D') => {
    for (const { network, rule } of rules) await iptables(network, [action, 'INPUT', ...rule])
  }
  await tell('-I')
  return () => tell('-D')
}

/** Whether the user who runs the lab can do that to a network of the plan's own. */
export async function canDropPackets(): Promise<boolean> {
  if (process.getuid?.() !== 0 || (await meansHere()).missing !== null) return false
  return findProgram('iptables', 'a network that drops packets').then(
    () => true,
    () => false,
  )
}

/** The lab's own connections come from the ports of its door. */
const droppingAt = (port: number, chosen: string[]): string[][] =>
  [
    ['--dport', '--sport'],
    ['--sport', '--dport'],
  ].map(([side, other]) => [
    ...['-i', 'lo', '-p', 'tcp', side!, String(port), '!', other!, doorPorts.join(':')],
    ...[...chosen, '-j', 'DROP'],
  ])

async function iptables({ join }: Network, args: string[]): Promise<void> {
  const [command, ...words] = join(['iptables', '-w', ...args])
  await execa(command!, words)
}

/** Gives PostgreSQL's pod a disk of its own for its data, before it starts. */
export async function giveOwnDisk(pods: LocalPod[], holder: number): Promise<void> {
  for (const pod of pods.filter(({ workload }) => workload.component === 'postgresql')) {
    const data = pod.workload.containers[0]!.mounts.find(({ path }) => path.startsWith('/var/lib/postgresql'))!
    pod.disk = await mountOwnDisk(pod.volumes.get(data.volume)!, holder)
  }
}

/** Leaves no room on them; returns a function that gives the room back. */
export async function fillDisks(pods: LocalPod[]): Promise<() => Promise<void>> {
  const disks = pods.map(({ disk }) => disk)
  const ends = await Promise.all(
    disks.map((disk) => {
      if (!disk) throw needsOwnNetwork()
      return disk.fill()
    }),
  )
  return async () => void (await Promise.all(ends.map((end) => end())))
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

/** Where distributions put the library; the one for programs with threads. */
const places = ['/usr/lib/*', '/usr/lib64', '/usr/lib', '/usr/local/lib'].map(
  (folder) => `${folder}/faketime/libfaketimeMT.so.1`,
)

/** The library by which the lab moves clocks; null if this machine has none. */
export async function clockLibrary(): Promise<string | null> {
  for await (const file of glob(places)) return file
  return null
}

export async function openOwnClock(folder: string): Promise<OwnClock> {
  const library = await clockLibrary()
  if (library === null) throw needsClockLibrary()
  const file = join(folder, 'clock')
  // In one step, so that no process reads half of it.
  const set = async (offset: string) => {
    await writeFile(`${file}.new`, `${offset}\n`)
    // n8n may run as another user.
    await chmod(`${file}.new`, 0o644)
    await rename(`${file}.new`, file)
  }
  await set('+0')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds until a process reads the file again.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async move() {
      await set('+1h')
      return () => set('+0')
    },
  }
}

/** n8n's program for the code of Code nodes; n8n starts it, and again when it ends. */
const isRunner = (program: string) => program.includes('task-runner')

const signals = { kill: 'SIGKILL', end: 'SIGTERM', freeze: 'SIGSTOP' } as const

/** A signal to one task runner of the pods that execute workflows; the function lets a frozen one go on. */
export async function injectIntoLocalRunner(
  how: keyof typeof signals,
  started: Started[],
): Promise<() => Promise<void>> {
  const workers = of(started, 'worker')
  const executing = workers.length > 0 ? workers : of(started, 'main')
  const pids = await Promise.all(
    executing.flatMap(({ containers }) => [...containers.values()].map((one) => one.pids())),
  )
  for (const pid of pids.flat()) {
    if (!(await isRunnerAt(pid))) continue
    process.kill(pid, signals[how])
    return async () => {
      // n8n may have ended a frozen one.
      if (how === 'freeze' && (await isRunnerAt(pid))) process.kill(pid, 'SIGCONT')
    }
  }
  throw noRunner()
}

const isRunnerAt = async (pid: number) => isRunner(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))

const of = (started: Started[], component: string) => started.filter(({ pod }) => pod.workload.component === component)

const needsOwnNetwork = () =>
  usage(
    'fault-needs-own-network',
    'Expected n8n to run in a network of its own, where the lab can drop packets and fill a disk, got it in the '
      + 'machine’s.',
    'Run the lab as root with iptables, where it can make namespaces, without --engine container, --allow-outside '
      + 'or --record-outside, and let it start the database and Redis: database.type and redis.type embedded.',
  )

const needsClockLibrary = () =>
  usage(
    'fault-needs-libfaketime',
    'Expected libfaketime on this machine and n8n as processes of it, so that the lab can move n8n’s clock. '
      + 'One of them is missing.',
    'Install it (apt-get install libfaketime), and run the lab without --engine container.',
  )
