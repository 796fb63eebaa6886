import { readFileSync } from 'node:fs'
import type { Engine, ContainerWork } from '../engine.ts'
import type { User } from '../images.ts'
import { translated } from '../pod.ts'
import { environment, isClients, runArguments, type Shared } from './arguments.ts'
import { containerBox } from './box.ts'
import { containerImage } from './images.ts'
import { containersBy, runtimeName, type Runtime } from './runtime.ts'

/** Runs every container of the plan with the container runtime, from the image that the plan names. */
export function containerEngine(runtime: Runtime, label: string, coresOf: Shared['coresOf']): Engine {
  const { program } = runtime
  const caller = whoRunsTheLab()
  const shared: Shared = {
    program,
    label,
    coresOf,
    limits: runtime.limits,
    caller,
    ulimits: program === 'podman' ? ulimitsOf(read('/proc/self/limits'), read('/proc/sys/kernel/pid_max')) : [],
  }
  const nameFor = ({ name }: ContainerWork) => `n8n-tuned-${process.pid}-${name}`
  return {
    name: containersBy(runtime),
    limits: { kind: runtimeName(runtime), enforced: runtime.limits },
    entersNetworks: false,
    image: (image, order) => containerImage(image, runtime, order),
    mounts: true,
    ownerOf: ({ containers }) => (caller ? null : (containers[0]?.user ?? null)),
    async prepare(work) {
      const command = {
        argv: [program, ...runArguments(work, nameFor(work), shared)],
        env: { ...clients(process.env), ...others(environment(work)) },
        cwd: work.pod.folder,
      }
      return { command, box: containerBox(program, nameFor(work)) }
    },
    inside(work, command) {
      const { pod, container, services } = work
      return {
        argv: [program, 'exec', nameFor(work), ...translated(command, pod, container, services, '')],
        env: clients(process.env),
        cwd: pod.folder,
      }
    },
  }
}

const clients = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => isClients(name))) as Record<string, string>
const others = (env: Record<string, string>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isClients(name)))

function whoRunsTheLab(): User | null {
  const uid = process.getuid!()
  return uid === 0 ? null : { uid, gid: process.getgid!() }
}

const read = (file: string) => readFileSync(file, 'utf8')

/** The lab's own limits, as options of Podman, which cannot have more processes than the kernel has ids. */
export function ulimitsOf(limits: string, ids: string): string[] {
  const [files, processes] = ['open files', 'processes'].map((words) =>
    new RegExp(`^Max ${words}\\s+(\\S+)\\s+(\\S+)`, 'm').exec(limits)!.slice(1).map(parsed),
  ) as [number[], number[]]
  return [`nofile=${files.join(':')}`, `nproc=${processes.map((count) => Math.min(count, Number(ids))).join(':')}`]
}

const parsed = (limit: string) => (limit === 'unlimited' ? Infinity : Number(limit))
