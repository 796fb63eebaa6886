import type { Client } from './client.ts'
import type { Workflow } from './workflow.ts'

/** One thing that a user of n8n can see: what the case does, and how its executions end if nothing is broken. */
export interface Case {
  name: string
  workflows: Workflow[]
  act(client: Client): Promise<void>
  /** How the executions of its workflows have ended, in the order they began in; one success by default. */
  ends?: string[]
  /** The first n8n that knows it. */
  since?: string
}

export interface Credential {
  id: string
  name: string
  type: string
  data: object
}

export interface Area {
  name: string
  cases: Case[]
  credentials?: Credential[]
}
