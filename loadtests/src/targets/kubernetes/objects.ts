/** What the lab itself makes carries this, as what Helm installs carries `Helm`. */
export const mine = { 'app.kubernetes.io/managed-by': 'n8n-tuned-lab' }

/** Everything that the lab and the chart make for a plan has its namespace’s name here. */
export const instance = 'app.kubernetes.io/instance'

/** What marks a part of a namespace that the user gave. */
export const mark = { 'n8n-tuned/home': 'true' }

export const labelsIn = (name: string) => ({ ...mine, [instance]: name })

export const selecting = (labels: Record<string, string>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')

/** What the lab reads of Kubernetes' objects. */

interface Meta {
  name: string
  namespace: string
  uid: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  creationTimestamp: string
  deletionTimestamp?: string
  generation: number
}

export interface NamedObject {
  metadata: Meta
}

export interface PodObject extends NamedObject {
  spec: PodSpec
  status: {
    podIP?: string
    conditions?: Condition[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

export interface PodSpec {
  nodeName?: string
  containers: ContainerObject[]
  initContainers?: ContainerObject[]
  volumes?: { name: string }[]
}

export interface ContainerObject {
  name: string
  image?: string
  /** `Always`: an init container that runs as long as its pod. */
  restartPolicy?: string
  resources?: { limits?: Record<string, string> }
  ports?: { name: string; containerPort: number }[]
  env?: { name: string; value?: string }[]
  livenessProbe?: object
  securityContext?: object
}

interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime: string
}

export interface ContainerStatus {
  name: string
  image: string
  imageID?: string
  ready: boolean
  restartCount: number
  state?: ContainerState
  lastState?: ContainerState
}

export interface ContainerState {
  running?: { startedAt: string }
  waiting?: { reason?: string; message?: string }
  terminated?: Terminated
}

export interface Terminated {
  reason: string
  exitCode: number
  message?: string
}

/** A Deployment or a StatefulSet. */
export interface Controller extends NamedObject {
  spec: { replicas: number; template: { spec: PodSpec } }
  status: { observedGeneration: number; updatedReplicas?: number; readyReplicas?: number; replicas?: number }
}

export interface NodeObject extends NamedObject {
  status: {
    capacity: Record<string, string>
    nodeInfo: { kernelVersion: string; kubeletVersion: string; architecture: string }
  }
}
