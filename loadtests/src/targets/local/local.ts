import { basename } from 'node:path'
import type { Order, Target } from '../target.ts'
import { neverReady } from '../refusals.ts'
import type { Running } from '../../n8n/running.ts'
import type { Plan } from '../../chart/plan.ts'
import type { EngineReason } from '../../model/environment.ts'
import type { Limit } from '../../model/result.ts'
import type { Generator } from '../../load/generator.ts'
import type { Means } from '../../load/process.ts'
import { status, until } from '../../lib/await.ts'
import { failProcess, type Fail } from '../../lib/repeat.ts'
import { freePorts } from '../../lib/ports.ts'
import type { OutsideOrder } from '../../model/outside.ts'
import { nodeBalancer } from './balancer.ts'
import { startBeside } from './beside.ts'
import { containerEngine } from './containers/engine.ts'
import type { Runtime } from './containers/runtime.ts'
import { availableCores, confine, coresForImage, divideCores, onCores } from './cores.ts'
import type { LocalImage } from './images.ts'
import { chooseLimiter } from './limits/choose.ts'
import type { LocalMachine, OpenBalancer } from './machine.ts'
import { reachFor, type Network, type Reach } from './network.ts'
import { processEngine } from './engine.ts'
import { meansHere } from './sealed.ts'
import { forData, makeScratch, sweepScratch } from './scratch.ts'
import { startPlanHere } from './start-plan.ts'

const serverPatience = 10_000

interface Options {
  /** Runs the containers; without, they are processes. */
  runtime?: Runtime | null
  /** Why so. */
  engineReason?: EngineReason
  outside?: OutsideOrder | null
  /** The workflows call the real services. */
  open?: boolean
  fail?: Fail
  openBalancer?: OpenBalancer
  /** Keeps n8n apart from this machine; a balancer other than the lab's own does not reach it there. */
  sealed?: boolean
}

/**
 * One machine as a small kubelet: runs every rendered container as a process under its limits, or with the container
 * runtime.
 */
export async function localTarget(
  makeGenerator: (means: Means) => Generator,
  {
    runtime = null,
    engineReason,
    outside = null,
    open = false,
    fail = failProcess,
    openBalancer = nodeBalancer,
    sealed = true,
  }: Options = {},
): Promise<Target> {
  await sweepScratch()
  // Before the limiter: when this process exits, what it started ends first, and then its groups are empty.
  const scratch = await makeScratch(forData())
  const limiter = await chooseLimiter()
  await limiter.sweep()
  const available = await availableCores()
  const cores = divideCores(available)
  await confine(cores.generator)
  const coresOf = (image: LocalImage) => coresForImage(image, cores)
  const engine = runtime
    ? containerEngine(runtime, scratch.labelFor(runtime.program), coresOf)
    : processEngine(limiter, (image, limited) => (limited ? coresOf(image) : available))
  const running = new Set<{ down(): Promise<void> }>()
  const networks = new Set<Network>()
  const sealing = sealed && engine.entersNetworks ? await sealingFor(reachFor(outside, open)) : null
  const machine: LocalMachine = {
    engine,
    limiter,
    scratch,
    sealing,
    outside,
    fail,
    openBalancer,
    placeBeside: (argv) => onCores(cores.beside, argv),
    register: (one) => running.add(one),
    opened: (network) => networks.add(network),
  }
  let lastUp: Promise<unknown> = Promise.resolve()
  let servers = 0

  async function bringUp(plan: Plan, order: Order): Promise<Running> {
    order.signal.throwIfAborted()
    const before = new Set(running)
    try {
      return await startPlanHere(plan, order, machine)
    } catch (error) {
      // Otherwise an n8n that never becomes ready would keep restarting beside the next one, on its cores.
      for (const one of running) if (!before.has(one)) await one.down()
      throw error
    }
  }

  return {
    limits: engine.limits,
    engine: engine.name,
    ...(engineReason && { engineReason }),
    cores,
    sideBySide: true,
    folder: scratch.path,
    generator: makeGenerator({
      onCores: (argv) => onCores(cores.generator, argv),
      cores: cores.generator.length,
      on: cores.generator,
      track: scratch.track,
      folder: scratch.path,
      // An n8n in a network of its own is loaded within it, so nothing stands between them.
      within: (sent, argv) => [...networks].find(({ address }) => sent.includes(`//${address}:`))?.join(argv) ?? argv,
    }),
    up(plan: Plan, order: Order): Promise<Running> {
      // One after the other, because each start looks for free ports, and prepares data for the next one.
      const up = lastUp.then(() => bringUp(plan, order))
      lastUp = up.catch(() => {})
      return up
    },
    async serve(file, limits: Limit) {
      const [port] = (await freePorts(1)) as [number]
      const post = {
        name: 'server',
        folder: scratch.path,
        order: { logs: scratch.path, signal: new AbortController().signal, onEvent: () => {} },
        machine,
        started: ({ stop }: { stop(): Promise<void> }) => void running.add({ down: stop }),
      }
      const argv = [process.execPath, file]
      const place = (words: string[]) => onCores(cores.target, words)
      const env = { HOST: '127.0.0.1', PORT: String(port) }
      const { container } = await startBeside(`server-${servers++}`, argv, env, post, { limits, place })
      const url = `http://127.0.0.1:${port}/`
      if (!(await until(async () => (await status(url)) === 200, { timeout: serverPatience, every: 50 }))) {
        throw neverReady(
          `the server ${basename(file)}`,
          `it did not answer within ${serverPatience / 1000} s`,
          'Run the command again on a quiet machine.',
          container.lastExit()?.log ?? [],
        )
      }
      return { url, stop: container.stop }
    },
    async close() {
      await eachOf([...[...running].map(({ down }) => down), limiter.close, scratch.remove, () => confine(available)])
    },
  }
}

async function sealingFor(reach: Reach): Promise<LocalMachine['sealing']> {
  const { missing, user } = await meansHere(reach)
  return missing === null ? { reach, user } : null
}

/** One after the other, whatever becomes of those before; throws the first error at the end. */
async function eachOf(works: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const work of works) await work().catch((error) => errors.push(error))
  if (errors.length) throw errors[0]
}
