import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { dropValue, roles } from '../../chart/isolate/draft.ts'
import { until } from '../../lib/await.ts'
import { paths, root } from '../../lib/paths.ts'
import { mergeValues } from '../../lib/values.ts'
import type { Values } from '../../model/experiment.ts'
import type { MockAddress, OutsideCount, OutsideOrder } from '../../model/outside.ts'
import { proxyVariables } from '../proxy.ts'
import { neverReady } from '../refusals.ts'
import type { Api } from './api.ts'
import type { Images } from './images.ts'
import { execIn, type ContainerPlace } from './kubectl.ts'
import type { OwnNamespace } from './namespaces.ts'
import { instance, labelsIn } from './objects.ts'
import { filesMap, pod, programStarted, secretFolder, secretOf } from './program.ts'

/** The mock of services as a pod of the lab's own, on the Node of n8n's image, and the way of n8n's calls to it. */
export interface PodMock {
  /** These values of the chart, but n8n's calls go to the mock, and n8n believes its certificates. */
  lead(values: Values): Values
  /** Where its databases and mail servers are. */
  address: MockAddress
  count(): Promise<OutsideCount | null>
}

interface Site {
  context: string
  api: Api
  own: OwnNamespace
  images: Images
  signal: AbortSignal
}

const port = 8080
const ports = { smtp: 2525, postgres: 5432, mysql: 3306, redis: 6379, qdrant: 6333 }
const user = 1000
const limits = { cpu: 1, memory: 512 * 2 ** 20 }
const patience = 60_000
const authorityKey = 'authority.pem'

export async function startMockPod(order: OutsideOrder, { context, api, own, images, signal }: Site): Promise<PodMock> {
  const name = `${own.name}-outside`
  const core = `/api/v1/namespaces/${own.namespace}`
  const { rules, allow, hints = [] } = order
  const files = { [packedFile]: gzipSync(JSON.stringify(await mockFiles())).toString('base64') }
  await api.create(`${core}/configmaps`, { ...filesMap(name, own, { 'start.mjs': unpackAndStart }), binaryData: files })
  // Rules may hold secrets of the user.
  const asked = JSON.stringify({ rules, hints, ports, record: null, authority: `/tmp/${authorityKey}` })
  await api.create(`${core}/secrets`, secretOf(name, own, { 'outside.json': asked }))
  await api.create(`${core}/services`, serviceOf(name, own))
  if (allow.length === 0)
    await api.create(`/apis/networking.k8s.io/v1/namespaces/${own.namespace}/networkpolicies`, seal(name, own))
  await api.create(
    `${core}/pods`,
    pod(
      {
        ...{ name, own, image: images.n8n, user, files: name, secrets: [name], limits },
        command: ['node'],
        args: ['/files/start.mjs'],
        env: { HOST: '0.0.0.0', PORT: String(port), OUTSIDE: `${secretFolder}/outside.json` },
      },
      images,
    ),
  )
  await programStarted(api, own.namespace, name, { signal })
  const ask = async (path: string) => {
    const answer = await api.ask(`${core}/pods/${name}:${port}/proxy/${path}`, { timeout: 5000 })
    return answer?.status === 200 ? answer.text : null
  }
  const certificate = await until(() => ask(authorityKey), { timeout: patience, every: 200, signal })
  signal.throwIfAborted()
  if (!certificate) {
    const log = await api.ask(`${core}/pods/${name}/log?tailLines=15`, { timeout: 5000 })
    throw neverReady(
      'the mock of services',
      `it did not answer within ${patience / 1000} s`,
      'Its log says why. It needs Node 22, as n8n 2 has it; --allow-outside calls the real services instead.',
      log?.text.split('\n').filter(Boolean) ?? [],
    )
  }
  const policy =
    allow.length === 0 && (await isSealed(context, { namespace: own.namespace, pod: name, container: name }))
  const trusted = `${name}-authority`
  await api.create(`${core}/configmaps`, filesMap(trusted, own, { [authorityKey]: certificate }))
  const host = `${name}.${own.namespace}`
  const proxies = proxyVariables(`http://${host}:${port}`, allow)
  return {
    address: { host, ports },
    lead: (values) => led(values, proxies, { name: trusted, key: authorityKey }),
    async count() {
      const told = await ask('')
      return told === null ? null : { ...(JSON.parse(told) as OutsideCount), turnedAway: null, left: [], policy }
    },
  }
}

/** The chart refuses an authority of a variable beside one of its own, and no call gets to a server of that one. */
export function led(
  values: Values,
  extraEnv: Record<string, string>,
  configMap: { name: string; key: string },
): Values {
  const own = structuredClone(values)
  for (const role of roles) dropValue(own, `${role}.extraEnv.NODE_EXTRA_CA_CERTS`)
  const role = { extraEnv }
  return mergeValues(
    own,
    { main: role, worker: role, webhook: role },
    { customCA: { configMap, secret: { name: '' } } },
  )
}

const serviceOf = (name: string, own: OwnNamespace) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsIn(own.name) },
  spec: { selector: { 'n8n-tuned/program': name }, ports: portsOf({ proxy: port, ...ports }) },
})

const portsOf = (named: Record<string, number>) =>
  Object.entries(named).map(([name, one]) => ({ name, port: one, targetPort: one }))

/** Where the cluster enforces policies, pods of this plan reach each other and ask for names, and nothing else. */
const seal = (name: string, own: OwnNamespace) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, labels: labelsIn(own.name) },
  spec: {
    podSelector: { matchLabels: { [instance]: own.name } },
    policyTypes: ['Egress'],
    egress: [
      { to: [{ podSelector: { matchLabels: { [instance]: own.name } } }] },
      { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) },
    ],
  },
})

/** Whether a pod under the policy reaches the API server of the cluster, which is none of the plan's. */
async function isSealed(context: string, place: ContainerPlace): Promise<boolean> {
  const { stdout } = await execIn(context, place, ['node', '-e', tryToLeave])
  return stdout.trim() === 'closed'
}

const tryToLeave = `const say = (word) => { console.log(word); process.exit() }
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
if (!host) say('unknown')
const socket = require('node:net').connect({ host, port: Number(port) }, () => say('open'))
socket.on('error', () => say('closed')).setTimeout(3000, () => say('closed'))`

const packedFile = 'mock.json.gz'
const inPod = '/tmp/lab'
/** Where the module that knows the lab's folders would be: from there the mock finds its services and samples. */
const bundled = 'loadtests/src/lib/mock.mjs'

/** A ConfigMap has no folders, and the mock is larger than one may be: its files are packed, and unpacked there. */
export const unpackAndStart = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
for (const [name, base64] of Object.entries(JSON.parse(gunzipSync(readFileSync('/files/${packedFile}'))))) {
  mkdirSync(dirname('${inPod}/' + name), { recursive: true })
  writeFileSync('${inPod}/' + name, Buffer.from(base64, 'base64'))
}
await import('${inPod}/${bundled}')
`

export async function mockFiles(): Promise<Record<string, string>> {
  const folders = [paths.services, paths.samples]
  const names = (
    await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((one) => join(folder, one))))
  ).flat()
  const read = async (file: string) => [relative(root, file), (await readFile(file)).toString('base64')] as const
  return {
    ...Object.fromEntries(await Promise.all(names.map(read))),
    [bundled]: Buffer.from(await mockBundle()).toString('base64'),
  }
}

/** The mock in one file: the installed package has it, a clone makes it from what it is now. */
async function mockBundle(): Promise<string> {
  if (existsSync(paths.outsideBundle)) return readFile(paths.outsideBundle, 'utf8')
  const { stdout } = await promisify(execFile)(join(root, 'tools/bundle-mock'), { maxBuffer: 2 ** 25 })
  return stdout
}
