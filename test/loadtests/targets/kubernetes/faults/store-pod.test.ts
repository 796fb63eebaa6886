import { parseAllDocuments } from 'yaml'
import { manifests } from '../../../../../loadtests/src/chart/render.ts'
import { podForFaults } from '../../../../../loadtests/src/targets/kubernetes/faults/prepare.ts'

const parts = { network: 'the program', images: { n8n: 'n8n:2', k6: 'k6:1', pullPolicy: 'Never', pullSecrets: [] } }

/** The chart's own stores: what the lab changes must be there. */
let rendered: any[]
beforeAll(async () => {
  const values = {
    executions: { mode: 'queue' },
    database: { type: 'embedded', embedded: { persistence: { enabled: false } } },
  }
  rendered = parseAllDocuments(await manifests(values)).map((document) => document.toJS())
})

const podOf = (store: string) =>
  rendered.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name.endsWith(store)).spec.template.spec
const preparedFor = (store: 'redis' | 'postgresql', ...hows: string[]): any =>
  podForFaults(podOf(store), store, new Set(hows), parts)

test.each(['redis', 'postgresql'] as const)('%s stays as it is for what a command can do', (store) => {
  expect(preparedFor(store, 'kill', 'hold')).toBeNull()
})

test('Redis can be frozen where it is not the first process that its pod sees', () => {
  expect(preparedFor('redis', 'freeze')).toEqual({ shareProcessNamespace: true })
})

test('PostgreSQL is frozen without a change: its children answer for it', () => {
  expect(preparedFor('postgresql', 'freeze')).toBeNull()
})

test.each([
  ['redis', 'REDIS_PORT', 6379],
  ['postgresql', 'PGPORT', 5432],
] as const)('the network stands at the port of %s, which listens elsewhere', (store, variable, port) => {
  const [behind, network] = preparedFor(store, 'cut-off').containers
  const moved = port + 10_000
  expect(behind.env).toContainEqual({ name: variable, value: String(moved) })
  expect(behind.livenessProbe.tcpSocket).toEqual({ port: moved })
  expect(behind.ports).toEqual([{ name: 'store', containerPort: moved }])
  // The Service and the network policy know the port by its name.
  expect(network.ports).toEqual([{ name: store, containerPort: port }])
  expect(network.command).toContain('the program')
  expect(network.env).toContainEqual({ name: 'STORE', value: String(moved) })
})

test('Redis can be frozen behind that network, too', () => {
  expect(preparedFor('redis', 'freeze', 'lossy')).toMatchObject({
    shareProcessNamespace: true,
    containers: [{ name: 'redis' }, { name: 'lab' }],
  })
})

test('the lab’s container may do as little as the store’s', () => {
  const [store, lab] = preparedFor('postgresql', 'lossy').containers
  expect(lab.securityContext).toEqual(store.securityContext)
  expect(lab.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
})

test('a disk that the lab fills is small, in memory, and does not take the store’s own', () => {
  const { containers, volumes } = preparedFor('postgresql', 'fill-disk')
  expect(volumes).toContainEqual({ name: 'data', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } })
  expect(volumes.filter(({ name }: any) => name === 'data')).toHaveLength(1)
  expect(containers[0].resources.limits).not.toHaveProperty('memory')
  expect(containers[1].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
})
