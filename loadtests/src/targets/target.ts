import type { TargetEvent } from '../model/event.ts'
import type { Cores, EngineReason, Machine, Release } from '../model/environment.ts'
import type { Plan } from '../chart/plan.ts'
import type { Limit } from '../model/result.ts'
import type { Generator } from '../load/generator.ts'
import type { DataTable } from '../n8n/data-tables.ts'
import type { Running } from '../n8n/running.ts'
import type { ProcessFault } from '../model/fault.ts'
import type { FoundWarning, Warning } from '../model/warning.ts'

/** Somewhere a plan can run. The lab reaches a real n8n only through this. */
export interface Target {
  /** For the record: how limits are enforced, and on which cores. */
  limits: { kind: string; enforced: boolean }
  /** For the record: how n8n runs on this machine. Absent elsewhere. */
  engine?: string
  engineReason?: EngineReason
  cores: Cores
  /** n8n runs already, for others too: a load begins low, rises only while the objective holds, and ends by itself. */
  foreign?: true
  /** Whether several plans can be up at once, on the same cores, to be loaded in turns. */
  sideBySide?: true
  /** A description of the place, if n8n runs elsewhere than on this machine. */
  surroundings?: { machine: Machine | null; release?: Release; warnings: Warning[] }
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
  serve?(file: string, limits: Limit): Promise<{ url: string; stop(): Promise<void> }>
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
  /** Receives what could not be seen. */
  onUnseen?(warning: FoundWarning): void
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
