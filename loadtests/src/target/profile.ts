/** What one process did while it was watched, as the system and V8 tell it. Seconds. */
export interface ProcessProfile {
  elapsed: number
  /** CPU time of its container as the system counted it. */
  counted: number
  /**
   * CPU time of n8n's own threads by their names; the first is the one V8's profile is of, `ended` are those that are
   * gone.
   */
  threads: ThreadTime[]
  /** CPU time of the other processes of its container by their command lines; `ended` are those that are gone. */
  others: { command: string; seconds: number }[]
  /** Files of native code that it has loaded. */
  natives: string[]
  cpu: CpuProfile
  heap: HeapProfile
}

export interface ThreadTime {
  name: string
  seconds: number
}

/** As V8 writes it, and DevTools opens it; as far as the lab reads it. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  /** Ids of nodes, one a look. */
  samples: number[]
}

export interface CallFrame {
  functionName: string
  url: string
}

/** What was allocated, sampled: also what was collected since. */
export interface HeapProfile {
  head: HeapNode
}

export interface HeapNode {
  callFrame: CallFrame
  selfSize: number
  children: HeapNode[]
}
