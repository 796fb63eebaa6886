import { availableParallelism } from 'node:os'
import { execa } from 'execa'
import type { Cores } from '../../model/environment.ts'
import type { LocalImage } from './images.ts'

/** The order in which programs beside n8n get cores of their own; n8n has at least half of all. */
const inTurn = [
  'generator',
  'postgresql',
  'beside',
  'redis',
  'generator',
  'postgresql',
  'generator',
  'generator',
] as const

/**
 * n8n shares its cores with nothing else: what competes with it for CPU falsifies the measurement. The load generator
 * and the lab come next, then the database, then what stands beside n8n (balancer, mock for services), then Redis.
 * Where cores are missing, they share, and with one core all do.
 */
export function divideCores(available: number[]): Required<Cores> {
  if (available.length === 1)
    return { target: available, generator: available, postgresql: available, redis: available, beside: available }
  const roles = inTurn.slice(0, Math.max(1, Math.floor(available.length / 2)))
  const of = (role: (typeof inTurn)[number]) => available.filter((_, index) => roles[index] === role)
  const or = (own: number[], others: number[]) => (own.length ? own : others)
  const generator = of('generator')
  const postgresql = or(of('postgresql'), generator)
  return {
    target: available.slice(roles.length),
    generator,
    postgresql,
    redis: or(of('redis'), postgresql),
    beside: or(of('beside'), postgresql),
  }
}

/** Where a container runs: n8n’s database and queue run beside it, as on other machines. */
export const coresForImage = ({ kind }: Pick<LocalImage, 'kind'>, cores: Required<Cores>): number[] =>
  kind === 'n8n' ? cores.target : cores[kind]

let available: Promise<number[]> | undefined

/** The cores that this process could use before it limited itself. */
export const availableCores = (): Promise<number[]> => (available ??= askForCores())

async function askForCores(): Promise<number[]> {
  const { stdout, failed } = await execa('taskset', ['-cp', String(process.pid)], { reject: false })
  const list = failed ? undefined : /:\s*([\d,-]+)\s*$/.exec(stdout)?.[1]
  return list ? parseList(list) : Array.from({ length: availableParallelism() }, (_, core) => core)
}

/** `0,2-4` → [0, 2, 3, 4] */
export function parseList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number) as [number, number?]
    return Array.from({ length: to! - from + 1 }, (_, offset) => from + offset)
  })
}

/** Moves this process with all its threads to these cores, so that sampling and writing take no CPU from n8n. */
export async function confine(cores: number[]): Promise<void> {
  await execa('taskset', ['-acp', cores.join(','), String(process.pid)], { reject: false })
}

export const onCores = (cores: number[], argv: string[]) => ['taskset', '-c', cores.join(','), ...argv]
