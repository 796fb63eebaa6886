import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { errors } from '../errors.ts'
import { paths, tool } from '../paths.ts'
import { readStat } from '../processes.ts'
import { busyShare, type Look } from './busy.ts'
import { peakOf } from './course.ts'
import type { LoadResult } from './result.ts'
import { clientsFor, lateMost, settling, type LoadStep } from './step.ts'
import { readSummary } from './summary.ts'

export interface GeneratorOptions {
  /** Puts the command on the generator's cores. */
  place: (argv: string[]) => string[]
  cores: number
  /** The objective, which says how many requests may be under way. */
  p95: number
  /** Ends the step at once; nothing of it is kept. */
  signal: AbortSignal
  /** Asked while the step runs: true ends it early and keeps what was counted until then. */
  endEarly?: () => boolean
  /** Ends the step as soon as so many answers are late that the objective is missed, whatever the rest brings. */
  giveUp?: boolean
  /** Told the process group, so that it can be ended even when this process is killed. */
  track: (pid: number) => void
  env?: Record<string, string>
}

/** k6's own codes for a test that was stopped, from outside or by a threshold: both leave a summary. */
const stopped = [105, 99]

/** Drives one step with k6. */
export async function driveStep(step: LoadStep, options: GeneratorOptions): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-tuned-k6-'))
  const summary = join(folder, 'summary.json')
  const argv = [tool('k6'), 'run', '--quiet', '--no-usage-report', '--log-format=raw', '--address=', join(paths.scenarios, `${step.shape.kind}.ts`)]
  const [command, ...args] = options.place(argv)
  try {
    const running = execa(command!, args, {
      env: { ...options.env, ...stepEnv(step, options), SUMMARY: summary },
      reject: false,
      all: true,
      lines: true,
      detached: true,
      cancelSignal: options.signal,
      forceKillAfterDelay: 1000,
    })
    if (running.pid) options.track(running.pid)
    const watch = watchGenerator(running, options.endEarly)
    const { exitCode, signal, failed, all } = await running
    const endedAt = Date.now()
    const looks = watch.stop()
    options.signal.throwIfAborted()
    const counted = await readFile(summary, 'utf8').catch(() => null)
    if (counted === null || (failed && !stopped.includes(exitCode!))) throw errors.generatorFailed(exitCode === undefined ? (signal ?? 'no start') : `exit code ${exitCode}`, (all ?? []).slice(-15))
    const result = readSummary(JSON.parse(counted), step, { endedAt, generatorCpu: null })
    return { ...result, generatorCpu: busyShare(looks, result.startedAt + settling(step.duration) * 1000, result.endedAt, options.cores) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function stepEnv({ url, method, timeout, duration, shape }: LoadStep, { p95, giveUp }: GeneratorOptions): Record<string, string> {
  const common = { URL: url, METHOD: method, TIMEOUT: String(timeout), DURATION: String(duration) }
  if (shape.kind === 'closed') return { ...common, VUS: String(shape.vus) }
  if (shape.kind === 'course') {
    // Those who come at once have clients of their own.
    return { ...common, FROM: String(shape.from), STAGES: JSON.stringify(shape.stages), WAITING: String(shape.waiting), CLIENTS: String(clientsFor(peakOf(shape), p95)) }
  }
  const latency = Number.isFinite(p95) ? { OBJECTIVE: String(p95), ...(giveUp && { LATE_MOST: String(lateMost(shape.rate, duration)) }) } : {}
  return { ...common, ...latency, RATE: String(shape.rate), CLIENTS: String(clientsFor(shape.rate, p95)), SETTLING: String(settling(duration)) }
}

/** The CPU time of a process that is gone cannot be asked for, so it is read while it runs. */
function watchGenerator(running: { pid?: number; kill(signal: 'SIGINT'): boolean }, endEarly: (() => boolean) | undefined): { stop(): Look[] } {
  const looks: Look[] = []
  let ending = false
  const timer = setInterval(async () => {
    // Once: at the second, k6 ends without its summary.
    if (!ending && endEarly?.()) ending = running.kill('SIGINT')
    const stat = running.pid === undefined ? null : await readStat(running.pid)
    if (stat) looks.push({ at: Date.now(), seconds: stat.cpu })
  }, 250)
  return {
    stop() {
      clearInterval(timer)
      return looks
    },
  }
}
