import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { Limit } from '../src/model/result.ts'
import { processGenerator } from '../src/load/process.ts'
import type { Generator } from '../src/load/generator.ts'
import { failProcess } from '../src/lib/repeat.ts'
import { nodeBalancer } from '../src/targets/local/balancer.ts'
import { startBeside, type BesideContainer } from '../src/targets/local/beside.ts'
import { availableCores, confine, divideCores, onCores } from '../src/targets/local/cores.ts'
import { chooseLimiter } from '../src/targets/local/limits/choose.ts'
import type { LocalMachine, Post } from '../src/targets/local/machine.ts'
import { processEngine } from '../src/targets/local/engine.ts'
import { makeScratch, sweepScratch } from '../src/targets/local/scratch.ts'

/** This machine, divided between servers and generator, without an n8n. */
export interface Bench {
  machine: LocalMachine
  limits: string
  generator: Generator
  /** Where a program and its balancer start. */
  post: Post
  /** Starts a program on the servers' cores, under limits. */
  start(name: string, argv: string[], env: Record<string, string>, limits: Limit): Promise<BesideContainer>
  /** Ends what was started, so that the next configuration has the machine for itself. */
  clear(): Promise<void>
  close(): Promise<void>
}

export async function openBench(signal = new AbortController().signal): Promise<Bench> {
  await sweepScratch()
  const scratch = await makeScratch()
  const limiter = await chooseLimiter()
  await limiter.sweep()
  const available = await availableCores()
  const cores = divideCores(available)
  await confine(cores.generator)
  const place = (argv: string[]) => onCores(cores.target, argv)
  const placeBeside = (argv: string[]) => onCores(cores.generator, argv)
  const stops: (() => Promise<void>)[] = []
  const machine: LocalMachine = {
    engine: processEngine(limiter, () => cores.target),
    limiter,
    scratch,
    outside: null,
    sealing: null,
    fail: failProcess,
    openBalancer: nodeBalancer,
    placeBeside,
    opened: () => {},
    register: ({ down }) => void stops.push(down),
  }
  const folder = join(scratch.path, 'article')
  await mkdir(folder)
  const post: Post = {
    name: 'article',
    folder,
    order: { logs: scratch.path, signal, onEvent: () => {} },
    machine,
    started: ({ stop }) => void stops.push(stop),
  }
  const clear = async () => {
    for (const stop of stops.splice(0)) await stop()
  }
  return {
    machine,
    limits: limiter.kind,
    post,
    generator: processGenerator({
      onCores: placeBeside,
      cores: cores.generator.length,
      track: scratch.track,
      folder: scratch.path,
    }),
    start: (name, argv, env, limits) => startBeside(name, argv, env, post, { limits, place }),
    clear,
    async close() {
      await clear()
      await limiter.close()
      await scratch.remove()
      await confine(available)
    },
  }
}
