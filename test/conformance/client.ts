/** What a case may do with an n8n. All answers of n8n are kept and compared. */
export interface Client {
  /** A request to n8n's public side: webhooks, forms, chats. */
  ask(path: string, asked?: Asked): Promise<Answer>
  /** As the editor does, signed in as the owner. */
  rest(method: string, path: string, body?: object, asked?: Asked): Promise<Answer>
  /** The public API. */
  api(method: string, path: string, body?: object, asked?: Asked): Promise<Answer>
  /** n8n's command line; what it prints is kept. */
  cli(...args: string[]): Promise<string>
  /** Statuses of a workflow's executions once there are so many and none of them runs. */
  ended(workflowId: string, count?: number): Promise<Execution[]>
  /** The id of one of a workflow's executions that runs now. */
  running(workflowId: string): Promise<string>
  /** As in a power cut: kills every process at once, and starts with the stored data. */
  crash(): Promise<void>
  /** Ends them in order, as in an upgrade. */
  restart(env?: Record<string, string>): Promise<void>
  /** Whether an event log says that the node with this id has been started. */
  hasStarted(nodeId: string): Promise<boolean>
  rows(table: string): Promise<Record<string, unknown>[]>
  /** Waits until something is true, at most 60 s. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void>
  /** Records something that the case has seen in another way. */
  note(what: string, seen: unknown): void
  /** The mock for services that workflows call. */
  readonly outside: string
  readonly version: string
  /** The folder of n8n's main process, for files that a command writes. */
  readonly home: string
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer<ArrayBuffer> | FormData
  /** The status that says the case did what it meant to; any below 300 by default; several where releases differ. */
  status?: number | number[]
  /** Asked again while n8n answers with this status; only the last answer is kept. */
  retry?: number
  /** Asks the main process, which alone answers forms, chats and MCP in queue mode. */
  main?: boolean
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  json: any
}

export interface Execution {
  id: string
  workflowId: string
  status: string
  mode: string
}

/** An answer or anything else that a case saw, in order. */
export interface Seen {
  what: string
  [part: string]: unknown
}
