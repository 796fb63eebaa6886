import type { Look } from './busy.ts'

/** Something that runs k6 over one of the scenarios: a process here, or a Job in a cluster. */
export interface Generator {
  /** How many cores it may use. */
  cores: number
  run(order: GeneratorOrder): Promise<Generated>
  /** Where a load is divided among several, each with so many cores: they begin at the same moment. */
  together?: { parts: number; run(orders: GeneratorOrder[]): Promise<Generated[]> }
}

export interface GeneratorOrder {
  /** A file of scenarios/, without its ending. */
  scenario: string
  env: Record<string, string>
  /** What it sends, as JSON. There may be secrets in it: only k6 may read it, and it is removed afterwards. */
  requests?: string
  /** More arguments for k6. */
  args?: string[]
  /** Keeps the lines that the scenario prints. */
  told?: true
  /** Ends it at once; nothing of it is kept. */
  signal: AbortSignal
  /** Asked while it runs: true ends it early and keeps what was counted until then. */
  endEarly?: () => boolean
}

export interface Generated {
  /** k6's own summary as JSON; null when it ended without one. */
  summary: string | null
  /** What it ended with: `exit code 107`, `SIGKILL`, … */
  ended: string
  failed: boolean
  endedAt: number
  /** Seconds it ran, and seconds of CPU it took for that. */
  elapsed: number
  cpuSeconds: number | null
  /** Looks at its CPU time while it ran, where that can be seen. */
  looks?: Look[]
  log: string[]
  /** What the scenario printed, where that was asked for and can be had. */
  told?: string[]
}
