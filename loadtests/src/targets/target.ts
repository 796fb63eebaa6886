import { invalid } from '../lib/errors.ts'
import type { TargetEvent } from '../model/event.ts'
import type { Cores, Machine, Release } from '../model/environment.ts'
import type { Limits, Plan } from '../chart/plan.ts'
import type { Generator } from '../load/generator.ts'
import type { DataTable } from '../n8n/data-tables.ts'
import type { OutsideCount } from '../model/outside.ts'

/** Somewhere a plan can run. The lab reaches a real n8n only through this. */
export interface Target {
  /** For the record: how limits are enforced, and on which cores. */
  limits: { kind: string; enforced: boolean }
  /** For the record: how n8n runs on this machine. Absent elsewhere. */
  engine?: string
  cores: Cores
  /** n8n runs already, for others too: a load begins low, rises only while the objective holds, and ends by itself. */
  foreign?: true
  /** Whether several plans can be up at once, on the same cores, to be loaded in turns. */
  sideBySide?: true
  /** A description of the place, if n8n runs elsewhere than on this machine. */
  surroundings?: { machine: Machine | null; release?: Release; warnings: string[] }
  /** Where the programs of a plan write, if that is on this machine. */
  folder?: string
  /** Drives load from a place that can reach the plan's URL. */
  generator: Generator
  /** Starts the plan with these workflows published, and returns once their webhooks answer. */
  up(plan: Plan, order: Order): Promise<Running>
  /**
   * Runs a server of the lab in the place of n8n: a file for Node that listens on HOST and PORT. Returns once it
   * answers. Absent if only n8n can run.
   */
  serve?(file: string, limits: Limits): Promise<{ url: string; stop(): Promise<void> }>
  close(): Promise<void>
}

export interface Order {
  workflows: SeedWorkflow[]
  /** Credentials that they need for other services: written down only for n8n. */
  credentials?: object[]
  /** Whether its processes can be profiled. */
  profiled?: boolean
  /** What the lab will do to it, and the target prepares for: a disk to fill, a clock to move. */
  processFaults?: ProcessFault[]
  /** The folder for the containers' logs. */
  logs: string
  signal: AbortSignal
  onEvent(event: TargetEvent): void
  onProgress(line: string): void
  /** Receives a sentence about what could not be seen. */
  onUnseen?(text: string): void
  /** Receives the answer of a webhook that is there and did not answer with success. */
  onAnswer?(workflow: SeedWorkflow, answer: { status: number; text: string }): void
}

/** A workflow to import and publish, with its sub-workflows. */
export interface SeedWorkflow {
  id: string
  /** As n8n exports them: the sub-workflows first, the workflow itself last. */
  imports: SeedExport[]
  /** The data tables that they use. */
  dataTables?: DataTable[]
  /** The webhook that must answer before the plan counts as ready. */
  webhook: Webhook
}

export interface SeedExport {
  id: string
}

export interface Webhook {
  method: string
  /** The path below the instance's URL: `/webhook/ping`. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | null
  /** Statuses that count as right; without any, every 2xx. */
  expected?: number[] | null
  /** Main answers it, and not webhook processors. */
  onMain?: true
  /** It begins no execution. */
  idle?: true
}

/** How many executions it begins to ask each of these once. */
export const begunByAsking = (workflows: { webhook: Webhook }[]): number =>
  workflows.filter(({ webhook }) => !webhook.idle).length

export const isAnswer = ({ expected }: Webhook, status: number | undefined): boolean =>
  status !== undefined && (expected ? expected.includes(status) : status >= 200 && status < 300)

export interface Running {
  /** The base URL of its webhooks. */
  url: string
  /** The base URL of forms and MCP, if another process answers them. */
  mainUrl?: string
  processes: RunningProcess[]
  /** n8n's own settings, with addresses at which the lab reaches its database and its queue; null where it cannot. */
  settings: Record<string, string> | null
  /** `host:port` of the stores that the target itself has started, as the settings lead to them. */
  stores: string[]
  /**
   * Waits until everything answers again, such as after a restart. Returns how many executions its own requests began.
   */
  ready(signal: AbortSignal): Promise<number>
  /** The calls to the outside so far, where a mock answers them. */
  outside?: () => Promise<OutsideCount | null>
  /** Injects a fault into the plan; returns a function that recovers from it. Absent where the lab cannot. */
  inject?: (what: ProcessFault) => Promise<() => Promise<void>>
  /** Upgrades n8n to another image tag, and returns once every role runs it. Absent where the lab cannot. */
  upgrade?: (tag: string) => Promise<void>
  down(): Promise<void>
}

export type ProcessFault = PodFault | { component: 'runner'; replicas: 'one'; how: RunnerFault }

/**
 * SIGKILL or SIGTERM to a task runner, which n8n starts again; or SIGSTOP until the end. Only in a cluster: no memory
 * left in its container.
 */
export type RunnerFault = 'kill' | 'end' | 'freeze' | 'exhaust-memory'

/** A fault of a component’s processes; in a cluster, of its pods. */
export interface PodFault {
  component: 'main' | 'worker' | 'webhook' | 'redis' | 'postgresql' | 'n8n'
  replicas: 'one' | 'all'
  /**
   * SIGKILL, SIGTERM or SIGINT, then a new start. Until the end: SIGKILL without a start; SIGSTOP; no packet to it or
   * from it; fewer packets; no room on its disk; another clock. Only in a cluster: no memory left in its container;
   * eviction under the disruption budgets, as a drain does; a rolling restart.
   */
  how:
    | 'kill'
    | 'end'
    | 'interrupt'
    | 'hold'
    | 'freeze'
    | 'cut-off'
    | 'lossy'
    | 'fill-disk'
    | 'move-clock'
    | 'exhaust-memory'
    | 'evict'
    | 'roll'
}

export interface RunningProcess {
  /** The container's name in the run: `main-0`. */
  name: string
  limits: Limits
  /** It receives requests of callers, alone or with its replicas. */
  serves: boolean
  /** What it had counted before the first look does not belong to the run. */
  ranBefore?: true
  /** What the system reports about it now. */
  usage(): Promise<Usage>
  /**
   * Its own /metrics; null when it does not answer in time, empty when it answers that it serves none. Absent if it is
   * known to serve none.
   */
  metrics?: (timeout: number) => Promise<string | null>
  /** Whether it reports itself ready. Absent if it does not say. */
  isReady?: () => Promise<boolean>
  /**
   * Begins to profile it; returns a function that ends that and returns the profile. Absent if it was started without
   * that.
   */
  profile?: () => Promise<() => Promise<ProcessProfile>>
  /** Bytes in its heap after a full garbage collection. Absent as above. */
  keptHeap?: () => Promise<number>
}

/** Over all processes of a container. Missing figures are null, never 0. */
export interface Usage {
  /** Since the container was made. */
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

export const neverReady = (process: string, reason: string, hint: string, log: string[]) =>
  invalid('never-ready', `Expected ${process} to become ready, but ${reason}.`, hint, log)

/** What one process did while the lab watched it, from the system and V8. Seconds. */
export interface ProcessProfile {
  elapsed: number
  /** CPU time of its container, as the system counted it. */
  counted: number
  cpu: CpuProfile
}

/** The part that the lab reads of V8's format, which DevTools opens. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  /** Ids of nodes, one for each look. */
  samples: number[]
}

export interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}
