import type { Tier } from '../model/tier.ts'
import type { Limit } from '../model/result.ts'
import type { Values } from '../model/experiment.ts'

/** The rendered chart, reduced to the few fields that a target needs. */
export interface Plan {
  /** Its Helm values, for targets that let Helm install it. */
  values: Values
  /** Null if the plan does not come from the chart. */
  tier: Tier | null
  workloads: Workload[]
  services: Service[]
}

export interface Workload {
  name: string
  /** `app.kubernetes.io/component`: main, worker, webhook, redis, … */
  component: string
  replicas: number
  /** Run one after the other before the containers start. */
  init: Container[]
  containers: Container[]
  volumes: Volume[]
  /** Seconds between SIGTERM and SIGKILL. */
  grace: number
}

export interface Container {
  name: string
  image: Image
  /** Null keeps the image's own. */
  command: string[] | null
  args: string[]
  env: Record<string, string>
  /** Variables that hold secrets. */
  secrets: string[]
  ports: Port[]
  limits: Limit
  mounts: Mount[]
  readiness: Probe | null
  /** Its user; null leaves that to the image. */
  user: User | null
  /** Whether it may write only to its mounts. */
  readOnlyRoot: boolean
}

export interface User {
  uid: number
  gid: number
}

export interface Image {
  repository: string
  tag: string
}

export interface Port {
  name: string
  port: number
}

export interface Mount {
  path: string
  volume: string
  subPath: string | null
}

export type Probe = HttpProbe | ExecProbe

export interface HttpProbe {
  path: string
  port: string | number
}

/** Run in the container; the container is ready when the command succeeds. */
export interface ExecProbe {
  command: string[]
}

export type Volume =
  | { name: string; kind: 'empty' }
  /** Outlives the pod. */
  | { name: string; kind: 'claim'; claim: string }
  /** A ConfigMap or Secret: relative path to content. */
  | { name: string; kind: 'files'; files: Record<string, Buffer> }

export interface Service {
  name: string
  port: number
  targetPort: string | number
  component: string
}
