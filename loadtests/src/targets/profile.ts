/** What one process did while the lab watched it, from the system and V8. Seconds. */
export interface ProcessProfile {
  elapsed: number
  /** CPU time of its container, as the system counted it. */
  counted: number
  /** CPU time of n8n's own threads, by their names. V8's profile is of the first one; `ended` stands for ended ones. */
  threads: ThreadTime[]
  /** CPU time of the container's other processes, by their command lines; `ended` stands for ended ones. */
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

/** The part that the lab reads of V8's format, which DevTools opens. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  /** Ids of nodes, one for each look. */
  samples: number[]
}

export interface CallFrame {
  functionName: string
  url: string
}

/** Sampled allocations, including memory that was freed later. */
export interface HeapProfile {
  head: HeapNode
}

export interface HeapNode {
  callFrame: CallFrame
  selfSize: number
  children: HeapNode[]
}
