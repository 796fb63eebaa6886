import { availableParallelism } from 'node:os'
import { execa } from 'execa'
import type { LocalImage } from './images/image.ts'

export interface Cores {
  target: number[]
  generator: number[]
}

/**
 * The generator and the lab get the first core, with all that would run on another machine. n8n gets the rest: a
 * generator that competes with n8n for CPU falsifies the measurement. With one core, they have to share it.
 */
export function divideCores(available: number[]): Cores {
  const [first, ...rest] = available
  return rest.length ? { generator: [first!], target: rest } : { generator: available, target: available }
}

/** Where a container runs: n8n’s database and queue run beside it, as on other machines. */
export const coresFor = ({ kind }: Pick<LocalImage, 'kind'>, { target, generator }: Cores) =>
  kind === 'store' ? generator : target

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
