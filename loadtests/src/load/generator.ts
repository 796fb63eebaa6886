import type { Look } from './busy.ts'

/** Something that runs k6 with one of the scenarios: a process here, or a Job in a cluster. */
export interface Generator {
  /** How many cores it may use. */
  cores: number
  run(order: GeneratorOrder): Promise<Generated>
  /** How many generators share a load, each with this many cores; they begin at the same moment. */
  together?: { parts: number; run(orders: GeneratorOrder[]): Promise<Generated[]> }
}

export interface GeneratorOrder {
  /** A file of scenarios/, without its ending. */
  scenario: string
  env: Record<string, string>
  /** The requests, as JSON. They may contain secrets: only k6 may read the file, and it is removed afterwards. */
  requests?: string
  /** More arguments for k6. */
  args?: string[]
  /** Keeps the lines that the scenario prints. */
  told?: true
  /** Ends it at once and keeps nothing. */
  signal: AbortSignal
  /** Asked while it runs: true ends it early and keeps the counts so far. */
  endEarly?: () => boolean
}

export interface Generated {
  /** k6's own summary as JSON; null if it ended without one. */
  summary: string | null
  /** How it ended: `exit code 107`, `SIGKILL`, … */
  ended: string
  failed: boolean
  /** Something else ended it. */
  killed?: boolean
  endedAt: number
  /** Seconds it ran, and the CPU seconds it used for that. */
  elapsed: number
  cpuSeconds: number | null
  /** Its CPU time at moments of the run, where that can be read. */
  looks?: Look[]
  log: string[]
  /** The lines that the scenario printed, where they were asked for and exist. */
  told?: string[]
}
