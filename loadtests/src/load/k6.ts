import { errors } from '../errors.ts'
import type { Generator } from './generator.ts'
import type { LoadResult } from './result.ts'
import { clientsFor, lateMost, settling, type LoadStep } from './step.ts'
import { readSummary } from './summary.ts'

export interface DriveOptions {
  generator: Generator
  /** The objective, which says how many requests may be under way. */
  p95: number
  /** Ends the step at once; nothing of it is kept. */
  signal: AbortSignal
  /** Asked while the step runs: true ends it early and keeps what was counted until then. */
  endEarly?: () => boolean
  /** Ends the step as soon as so many answers are late that the objective is missed, whatever the rest brings. */
  giveUp?: boolean
}

/** Drives one step with k6. */
export async function driveStep(step: LoadStep, options: DriveOptions): Promise<LoadResult> {
  const { generator, signal, endEarly } = options
  const { summary, failed, ended, endedAt, elapsed, cpuSeconds, log } = await generator.run({ scenario: step.shape.kind, env: stepEnv(step, options), signal, endEarly })
  if (summary === null || failed) throw errors.generatorFailed(ended, log)
  const generatorCpu = cpuSeconds === null ? null : cpuSeconds / elapsed / generator.cores
  return readSummary(JSON.parse(summary), step, { endedAt, generatorCpu })
}

function stepEnv({ url, method, timeout, duration, shape }: LoadStep, { p95, giveUp }: DriveOptions): Record<string, string> {
  const common = { URL: url, METHOD: method, TIMEOUT: String(timeout), DURATION: String(duration) }
  if (shape.kind === 'closed') return { ...common, VUS: String(shape.vus) }
  const latency = Number.isFinite(p95) ? { OBJECTIVE: String(p95), ...(giveUp && { LATE_MOST: String(lateMost(shape.rate, duration)) }) } : {}
  return { ...common, ...latency, RATE: String(shape.rate), CLIENTS: String(clientsFor(shape.rate, p95)), SETTLING: String(settling(duration)) }
}
