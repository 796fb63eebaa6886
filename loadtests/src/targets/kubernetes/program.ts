import { readFile } from 'node:fs/promises'
import { neverReady } from '../refusals.ts'
import type { Limit } from '../../model/result.ts'
import { until } from '../../lib/await.ts'
import { invalid } from '../../lib/errors.ts'
import type { Api } from './api.ts'
import type { OwnNamespace } from './namespaces.ts'
import type { Images } from './images.ts'
import { labelsIn, type PodObject } from './objects.ts'
import { stuckBecause } from './pods.ts'

/** A pod of the lab itself: one program with files from a ConfigMap, within Pod Security "restricted". */
export interface Program {
  own: OwnNamespace
  name: string
  image: string
  user: number
  args: string[]
  command?: string[]
  env: Record<string, string>
  /** The ConfigMap, mounted at /files. */
  files: string
  /** Secrets, whose files are together at `secretFolder`. */
  secrets?: string[]
  limits: Limit
  /** What is reserved for it on its node; without, so little that it fits beside n8n on a small cluster. */
  requests?: Limit
  /** Pods of a Job that run at the same time; each knows its number by JOB_COMPLETION_INDEX. */
  parts?: number
}

export const filesMap = (name: string, own: OwnNamespace, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: labelsIn(own.name) },
  data,
})

export const secretFolder = '/secrets'

export const secretOf = (name: string, own: OwnNamespace, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: labelsIn(own.name) },
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
  spec: {
    backoffLimit: 0,
    completionMode: 'Indexed',
    completions: program.parts ?? 1,
    parallelism: program.parts ?? 1,
    template: { metadata: { labels: labelsOf(program) }, spec: { ...podSpec(program, images), ...besideN8n } },
  },
})

/** Nodes of the generator's own, if the operator has some. */
const ownNodes = 'n8n-tuned/generator'

/** A generator on n8n's node takes n8n's CPU. So it goes elsewhere if it can: where it is alone, or away from n8n. */
const besideN8n = {
  tolerations: [{ key: ownNodes, operator: 'Exists' }],
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, preference: { matchExpressions: [{ key: ownNodes, operator: 'Exists' }] } },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 50,
          podAffinityTerm: {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'n8n-tuned' } },
            namespaceSelector: {},
          },
        },
      ],
    },
  },
}

const labelsOf = ({ name, own }: Program) => ({ ...labelsIn(own.name), 'n8n-tuned/program': name })

function podSpec(
  { name, image, user, command, args, env, files, secrets = [], limits, requests }: Program,
  { pullPolicy, pullSecrets }: Images,
) {
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
        resources: { requests: requests ? quantities(requests) : little, limits: quantities(limits) },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'files', mountPath: '/files', readOnly: true },
          { name: 'tmp', mountPath: '/tmp' },
          ...(secrets.length ? [{ name: 'secrets', mountPath: secretFolder, readOnly: true }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'files', configMap: { name: files } },
      // In memory, because secrets are put together there.
      { name: 'tmp', emptyDir: { medium: 'Memory' } },
      ...(secrets.length
        ? [{ name: 'secrets', projected: { sources: secrets.map((name) => ({ secret: { name } })) } }]
        : []),
    ],
  }
}

const little = { cpu: '100m', memory: '128Mi' }

const quantities = ({ cpu, memory }: Limit) => ({
  ...(cpu !== null && { cpu: String(cpu) }),
  ...(memory !== null && { memory: String(memory) }),
})

const startPatience = 180_000

/** How long a node may take to have room for a program; n8n's own pods get longer. */
const roomPatience = 20_000

/** The pods of one of the lab's own programs, by their numbers, once each container runs or has ended. */
export async function programStarted(
  api: Api,
  namespace: string,
  program: string,
  { parts = 1, signal }: { parts?: number; signal?: AbortSignal } = {},
): Promise<PodObject[]> {
  const found = await until(
    async () => {
      const pods = await podsOf(api, namespace, program)
      for (const pod of pods) {
        const stuck = stuckBecause(pod, { roomPatience })
        if (stuck) throw invalid(stuck.code, `Expected ${program} to become ready, but ${stuck.reason}.`, stuck.hint)
      }
      const begun = pods.filter(({ status }) => {
        const state = status.containerStatuses?.[0]?.state
        return state?.running || state?.terminated
      })
      return begun.length >= parts && begun
    },
    { timeout: startPatience, every: 100, signal },
  )
  signal?.throwIfAborted()
  if (!found)
    throw neverReady(
      program,
      `its pod did not start within ${startPatience / 1000} s`,
      'kubectl describe says why, while it is there.',
      [],
    )
  return found
}

const indexOf = ({ metadata }: PodObject) =>
  Number(metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? 0)

/** In the order of their numbers. */
const podsOf = async (api: Api, namespace: string, program: string): Promise<PodObject[]> =>
  (await api.list<PodObject>(`/api/v1/namespaces/${namespace}/pods`, { 'n8n-tuned/program': program })).sort(
    (a, b) => indexOf(a) - indexOf(b),
  )

const port = 8080
const serverUser = 1000
const serverPatience = 30_000

/** Runs a server of the lab on the Node of n8n's image, as a small pod. */
export async function servePod(
  api: Api,
  own: OwnNamespace,
  name: string,
  file: string,
  limits: Limit,
  images: Images,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { namespace } = own
  const core = `/api/v1/namespaces/${namespace}`
  // Under this name every release of Node reads it: the lab's servers are plain JavaScript.
  await api.create(`${core}/configmaps`, filesMap(name, own, { 'server.mjs': await readFile(file, 'utf8') }))
  await api.create(
    `${core}/pods`,
    pod(
      {
        name,
        own,
        image: images.n8n,
        user: serverUser,
        command: ['node'],
        args: ['/files/server.mjs'],
        env: { HOST: '0.0.0.0', PORT: String(port) },
        files: name,
        limits,
      },
      images,
    ),
  )
  const stop = () => api.remove(`${core}/pods/${name}`)
  const [{ status }] = (await programStarted(api, namespace, name)) as [PodObject]
  const answers = await until(
    async () => (await api.ask(`${core}/pods/${name}:${port}/proxy/`, { timeout: 5000 }))?.status === 200,
    { timeout: serverPatience, every: 50 },
  )
  if (!answers) {
    const log = await api.ask(`${core}/pods/${name}/log?tailLines=15`, { timeout: 5000 })
    throw neverReady(
      `the server ${name}`,
      `it did not answer within ${serverPatience / 1000} s`,
      'Run the command again on a quiet cluster.',
      log?.text.split('\n').filter(Boolean) ?? [],
    )
  }
  const address = status.podIP!
  const host = address.includes(':') ? `[${address}]` : address
  return { url: `http://${host}:${port}/`, stop }
}
