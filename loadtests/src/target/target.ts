import type { Limits, Plan } from '../chart/plan.ts'
import type { Generator } from '../load/generator.ts'
import type { DeathCode } from '../shared/deaths.ts'
import type { OutsideCount } from './outside.ts'
import type { ProcessProfile } from './profile.ts'

/** Somewhere a plan can run. The only way the lab reaches a real n8n. */
export interface Target {
  /** For the record: how limits are enforced, and on which cores. */
  limits: { kind: string; enforced: boolean }
  /** For the record: what n8n runs as on this machine. Absent elsewhere. */
  engine?: string
  cores: { target: number[]; generator: number[] }
  /** Can it have several plans up at once, on the same cores? */
  sideBySide?: true
  /** Where n8n runs elsewhere than on this machine: what there is to say of it. */
  surroundings?: { machine: Machine | null; warnings: string[] }
  /** Drives load from where the plan's URL can be reached. */
  generator: Generator
  /** Starts the plan with these workflows published and returns once their webhooks answer. */
  up(plan: Plan, order: Order): Promise<Running>
  /**
   * Runs a server of ours where n8n would run: a file for Node that listens on HOST and PORT. Returns once it answers.
   * Absent where only n8n runs.
   */
  serve?(file: string, limits: Limits): Promise<{ url: string; stop(): Promise<void> }>
  close(): Promise<void>
}

export interface Machine {
  cpu: string
  cores: number
  memory: number
  kernel: string
}

export interface Order {
  workflows: SeedWorkflow[]
  /** What they need to reach others: never written down but for n8n. */
  credentials?: object[]
  /** What stands in for a Service with several replicas, where a cluster does not. */
  balancer: BalancerKind
  /** Its processes can be profiled. */
  profiled?: boolean
  /** Folder for the containers' logs. */
  logs: string
  signal: AbortSignal
  onEvent(event: TargetEvent): void
  onProgress(line: string): void
}

export type BalancerKind = 'node' | 'nginx' | 'iptables'

/** A workflow to import and publish, with those that it calls. */
export interface SeedWorkflow {
  id: string
  /** As n8n exports them: what it calls first, itself at last. */
  imports: SeedExport[]
  /** What must answer before the plan counts as ready. */
  webhook: Webhook
}

export interface SeedExport {
  id: string
}

export interface Webhook {
  method: string
  /** Below the instance's URL: `/webhook/ping`. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | null
  /** Statuses that are right; any success where it does not say. */
  expected?: number[] | null
}

export const isAnswer = ({ expected }: Webhook, status: number | undefined): boolean =>
  status !== undefined && (expected ? expected.includes(status) : status >= 200 && status < 300)

export interface Running {
  /** Where webhooks are served. */
  url: string
  processes: RunningProcess[]
  /** n8n's own settings, its database and its queue being where the lab can ask them; null where it cannot. */
  settings: Record<string, string> | null
  /** The same after a harm, where the way to database and queue was lost with it. */
  settingsNow?: () => Promise<Record<string, string> | null>
  /**
   * Waits until everything answers again, after a restart for example. Returns how many executions it began by asking.
   */
  ready(signal: AbortSignal): Promise<number>
  /** What was asked of the outside until now, where something stands in for it. */
  outside?: () => Promise<OutsideCount | null>
  /** Does harm to processes of the plan; what it returns ends the harm. Absent where the lab cannot. */
  disturb?: (what: Disturbance) => Promise<() => Promise<void>>
  down(): Promise<void>
}

/** Harm to processes of a component; in a cluster, to its pods. */
export interface Disturbance {
  component: 'main' | 'worker' | 'webhook' | 'redis' | 'postgresql' | 'n8n'
  replicas: 'one' | 'all'
  /**
   * SIGKILL, SIGTERM or SIGINT, after which it is started again; SIGKILL and no start until the end; SIGSTOP until the
   * end. In a cluster alone: eviction under the disruption budgets, as a drain does, and a rolling restart.
   */
  how: 'kill' | 'end' | 'interrupt' | 'hold' | 'freeze' | 'evict' | 'roll'
}

export interface RunningProcess {
  /** The container's name in the run: `main-0`. */
  name: string
  limits: Limits
  /** Callers' requests end up with it, or with others like it. */
  serves: boolean
  restarts(): number
  /** What it had counted before it is first asked is not the run's. */
  ranBefore?: true
  /** What the system knows of it now. */
  usage(): Promise<Usage>
  /** What it says of itself at /metrics; null when it does not answer in time. Absent where it serves none. */
  metrics?: (timeout: number) => Promise<string | null>
  /** Does it call itself ready? Absent where it does not say. */
  isReady?: () => Promise<boolean>
  /**
   * Begins to profile it; the answer ends that and tells what was seen. Absent where it was not started to be profiled.
   */
  profile?: () => Promise<() => Promise<ProcessProfile>>
}

/** Over all processes of a container. Absent figures are null, never 0. */
export interface Usage {
  /** Since it was made. */
  cpuSeconds: number | null
  /** Resident bytes. */
  rss: number | null
  /** How many processes. */
  pids: number
  /** Periods of its CPU limit, and those of them in which it was stopped. Absent where the system does not say. */
  throttling?: Throttling | null
  /** Seconds of the thread that Node runs its event loop on. Absent where the system does not say. */
  loop?: { ran: number; waited: number } | null
}

export interface Throttling {
  periods: number
  stopped: number
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
  reason: DeathCode | 'stopped'
  code: number | null
  signal: string | null
  /** The last lines of its log. */
  log: string[]
}
