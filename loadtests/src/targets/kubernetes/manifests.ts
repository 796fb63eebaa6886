import type { Limits } from '../../chart/plan.ts'
import type { Home } from './homes.ts'
import type { Images } from './images.ts'
import { labelsIn } from './labels.ts'

/** A pod of the lab itself: one program with files from a ConfigMap, within Pod Security "restricted". */
export interface Program {
  home: Home
  name: string
  image: string
  user: number
  args: string[]
  command?: string[]
  env: Record<string, string>
  /** The ConfigMap, mounted at /files. */
  files: string
  /** A Secret, mounted at `secretFolder`. */
  secret?: string
  limits: Limits
}

export const filesMap = (name: string, home: Home, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: labelsIn(home.name) },
  data,
})

export const secretFolder = '/secrets'

export const secretOf = (name: string, home: Home, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: labelsIn(home.name) },
  stringData: data,
})

export const pod = (program: Program, images: Images) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: program.name, labels: labelsOf(program) },
  spec: podSpec(program, images),
})

export const job = (program: Program, images: Images) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: program.name, labels: labelsOf(program) },
  spec: { backoffLimit: 0, template: { metadata: { labels: labelsOf(program) }, spec: podSpec(program, images) } },
})

const labelsOf = ({ name, home }: Program) => ({ ...labelsIn(home.name), 'n8n-tuned/program': name })

function podSpec(
  { name, image, user, command, args, env, files, secret, limits }: Program,
  { pullPolicy, pullSecrets }: Images,
) {
  const limited = {
    ...(limits.cpu !== null && { cpu: String(limits.cpu) }),
    ...(limits.memory !== null && { memory: String(limits.memory) }),
  }
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    imagePullSecrets: pullSecrets,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name,
        image,
        imagePullPolicy: pullPolicy,
        ...(command && { command }),
        args,
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
        // Requests little, so that it fits beside n8n on a small cluster.
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: limited },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'files', mountPath: '/files', readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
          ...(secret ? [{ name: 'secret', mountPath: secretFolder, readOnly: true }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'files', configMap: { name: files } },
      { name: 'tmp', emptyDir: {} },
      ...(secret ? [{ name: 'secret', secret: { secretName: secret } }] : []),
    ],
  }
}
