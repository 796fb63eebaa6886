import { join } from 'node:path'
import type { Limits, Plan } from '../../chart/plan.ts'
import { errors } from '../../errors.ts'
import type { Order, Running, Target } from '../target.ts'
import { availableCores, divideCores, onCores } from './cores.ts'
import { runContainer } from './container.ts'
import { chooseLimiter } from './limits/choose.ts'
import { openLog } from './log.ts'
import { makeScratch, sweepScratch } from './scratch.ts'
import { startPlan } from './start-plan.ts'

/** One machine as a very small kubelet: every rendered container is a process under its limits. */
export async function localTarget(): Promise<Target> {
  const limiter = await chooseLimiter()
  await sweepScratch()
  await limiter.sweep()
  const scratch = await makeScratch()
  const cores = divideCores(await availableCores())
  const running = new Set<{ down(): Promise<void> }>()
  let programs = 0

  return {
    limits: { kind: limiter.kind, enforced: limiter.enforced },
    cores,
    placeGenerator: (argv) => onCores(cores.generator, argv),
    track: scratch.track,
    async up(plan: Plan, order: Order): Promise<Running> {
      refuseWhatNeedsMore(plan)
      const before = new Set(running)
      try {
        return await startPlan(plan, order, { limiter, scratch, place: (argv) => onCores(cores.target, argv), register: (one) => running.add(one) })
      } catch (error) {
        // An n8n that is never ready would go on restarting beside the next one, on its cores.
        for (const one of running) if (!before.has(one)) await one.down()
        throw error
      }
    },
    async runProgram(argv, limits: Limits) {
      const name = `program-${programs++}`
      const box = await limiter.box(name, limits)
      const spec = { name, argv: onCores(cores.target, argv), env: { PATH: process.env.PATH ?? '', TMPDIR: scratch.path }, cwd: scratch.path, grace: 1 }
      const container = runContainer(spec, box, openLog(join(scratch.path, `${name}.log`)), () => {}, scratch.track)
      const one = { down: () => container.stop() }
      running.add(one)
      return { stop: one.down }
    },
    async close() {
      for (const one of running) await one.down()
      await limiter.close()
      await scratch.remove()
    },
  }
}

/** Several replicas need a balancer in front of them, which is not built yet. */
function refuseWhatNeedsMore(plan: Plan): void {
  const several = plan.workloads.find(({ replicas }) => replicas > 1)
  if (several) throw errors.notOnThisTarget(`${several.replicas} replicas of ${several.component}`, `Set ${several.component}.replicas to 1 to measure one process here.`)
}
