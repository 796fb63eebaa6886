import type { Limits, Plan } from '../chart/plan.ts'

/** Somewhere a plan can run. The only way the lab reaches a real n8n. */
export interface Target {
  /** For the record: how limits are enforced, and on which cores. */
  limits: { kind: string; enforced: boolean }
  cores: { target: number[]; generator: number[] }
  /** Puts a command on the generator's cores. */
  placeGenerator(argv: string[]): string[]
  /** Remembers a process group, so that it is ended with this run or by the next one. */
  track(pid: number): void
  /** Starts the plan with these workflows published and returns once their webhooks answer. */
  up(plan: Plan, order: Order): Promise<Running>
  /** Runs one program of ours under limits, as n8n would be: the calibration. */
  runProgram(argv: string[], limits: Limits): Promise<{ stop(): Promise<void> }>
  close(): Promise<void>
}

export interface Order {
  workflows: SeedWorkflow[]
  /** Folder for the containers' logs. */
  logs: string
  signal: AbortSignal
  onEvent(event: TargetEvent): void
  onProgress(line: string): void
}

/** A workflow to import and publish: a file in n8n's own export format. */
export interface SeedWorkflow {
  id: string
  file: string
  /** What must answer before the plan counts as ready. */
  webhook: Webhook
}

export interface Webhook {
  method: string
  /** Below the instance's URL: `/webhook/ping`. */
  path: string
}

export interface Running {
  /** Where webhooks are served. */
  url: string
  processes: RunningProcess[]
  /** Waits until everything answers again, after a restart for example. */
  ready(signal: AbortSignal): Promise<void>
  down(): Promise<void>
}

export interface RunningProcess {
  /** The container's name in the run: `main-0`. */
  name: string
  metricsUrl: string | null
  limits: Limits
  restarts(): number
  pids(): Promise<number[]>
  /** Cumulative over all its processes; null where the system does not say. */
  cpuSeconds(): Promise<number | null>
}

/** What happens to a container, as it happens. */
export interface TargetEvent {
  at: number
  process: string
  kind: 'started' | 'ready' | 'exited'
  /** For `exited`. */
  exit?: Exit
}

export interface Exit {
  reason: 'oom-killed' | 'heap-exhausted' | 'crashed' | 'stopped'
  code: number | null
  signal: string | null
  /** The last lines of its log. */
  log: string[]
}
