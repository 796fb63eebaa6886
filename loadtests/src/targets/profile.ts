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
