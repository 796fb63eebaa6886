/** The fields of rendered Kubernetes objects that a plan is made from, as the chart writes them. */
export interface Manifest<Spec = unknown> {
  kind: string
  metadata: Meta
  spec?: Spec
  data?: Record<string, string>
  stringData?: Record<string, string>
  binaryData?: Record<string, string>
}

interface Meta {
  name: string
  namespace?: string
  annotations?: Record<string, string>
  labels?: Record<string, string>
}

/** A Deployment, StatefulSet or Job. */
export interface RunsPods {
  replicas?: number
  template: { metadata: Meta; spec: PodSpec }
  volumeClaimTemplates?: Manifest[]
}

interface PodSpec {
  initContainers?: PodContainer[]
  containers: PodContainer[]
  volumes?: PodVolume[]
  securityContext?: Security
  terminationGracePeriodSeconds?: number
}

export interface PodContainer {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVariable[]
  envFrom?: VariableSource[]
  ports?: { name: string; containerPort: number }[]
  resources?: { limits?: { cpu?: string | number; memory?: string | number } }
  volumeMounts?: { mountPath: string; name: string; subPath?: string }[]
  readinessProbe?: PodProbe
  securityContext?: Security
  restartPolicy?: string
}

export interface EnvVariable {
  name: string
  value?: string | number | boolean
  valueFrom?: {
    fieldRef?: { fieldPath: string }
    resourceFieldRef?: { resource: string }
    secretKeyRef?: KeyReference
    configMapKeyRef?: KeyReference
  }
}

export interface VariableSource {
  prefix?: string
  secretRef?: Reference
  configMapRef?: Reference
}

export interface Reference {
  name: string
  optional?: boolean
}
export interface KeyReference extends Reference {
  key: string
}

export interface PodProbe {
  httpGet?: { path: string; port: string | number }
  exec?: { command: string[] }
}

export interface PodVolume {
  name: string
  persistentVolumeClaim?: { claimName: string }
  configMap?: Reference & { items?: Item[] }
  secret?: { secretName: string; optional?: boolean; items?: Item[] }
}
interface Item {
  key: string
  path: string
}

export interface Security {
  runAsUser?: number
  runAsGroup?: number
  readOnlyRootFilesystem?: boolean
}

export interface ServiceSpec {
  ports: { port: number; targetPort?: string | number }[]
  selector?: Record<string, string>
}
