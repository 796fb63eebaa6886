import type { Plan } from '../chart/plan.ts'

/** Somewhere a plan can run. The only way the lab reaches a real n8n. */
export interface Target {
  /** Starts the plan, seeds its workflows and returns once their webhooks answer. */
  up(plan: Plan, seed: Seed, onEvent: (event: TargetEvent) => void): Promise<Running>
}

/** Workflows to import and publish: files in n8n's own export format. */
export interface Seed {
  workflows: WorkflowFile[]
}

export interface WorkflowFile {
  name: string
  id: string
  path: string
}

export interface Running {
  /** Where webhooks are served. */
  url: string
  processes(): RunningProcess[]
  /** Waits until everything is ready again, after a restart for example. */
  ready(): Promise<void>
  down(): Promise<void>
}

export interface RunningProcess {
  /** Container's name in the run: `main-0`. */
  name: string
  /** Process ids now, the first is the container's own. */
  pids(): number[]
  metricsUrl: string | null
  limits: { cpu: number | null; memory: number | null; enforced: boolean }
  /** Cumulative CPU seconds of the container, restarts included. */
  restarts: number
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
