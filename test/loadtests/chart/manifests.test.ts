import { stringify } from 'yaml'
import { planFrom } from '../../../loadtests/src/chart/manifests.ts'
import type { Container, Plan, Volume, Workload } from '../../../loadtests/src/chart/plan.ts'
import { refusalOf } from '../../support/refusal.ts'

const rendered = (...manifests: object[]): Omit<Plan, 'values'> =>
  planFrom(manifests.map((manifest) => stringify(manifest)).join('---\n'))
const labels = { 'app.kubernetes.io/component': 'main' }

const workload = (spec: object = {}, pod: object = {}, kind = 'Deployment') => ({
  kind,
  metadata: { name: 'n8n-main', namespace: 'flows' },
  spec: {
    template: { metadata: { labels }, spec: { containers: [{ name: 'n8n', image: 'n8nio/n8n:2.41.1' }], ...pod } },
    ...spec,
  },
})
const running = (container: object, ...others: object[]): Container =>
  onlyWorkload(workload({}, { containers: [{ name: 'n8n', image: 'n8nio/n8n:2.41.1', ...container }] }), ...others)
    .containers[0]!
const holding = (volume: object, ...others: object[]): Volume =>
  onlyWorkload(workload({}, { volumes: [{ name: 'data', ...volume }] }), ...others).volumes[0]!
const onlyWorkload = (...manifests: object[]): Workload => rendered(...manifests).workloads[0]!

const secret = {
  kind: 'Secret',
  metadata: { name: 'keys' },
  data: { key: Buffer.from('sesame').toString('base64') },
  stringData: { plain: 'open' },
}
const configMap = {
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data: { zone: 'UTC', level: 'info' },
  binaryData: { icon: Buffer.from([1, 2]).toString('base64') },
}
const ref = (kind: 'secretKeyRef' | 'configMapKeyRef', name: string, key: string, optional?: boolean) => ({
  env: [{ name: 'IT', valueFrom: { [kind]: { name, key, optional } } }],
})

describe('a workload', () => {
  test('is a Deployment, with the defaults that Kubernetes has', () => {
    expect(onlyWorkload(workload())).toMatchObject({
      name: 'deploy/n8n-main',
      component: 'main',
      replicas: 1,
      grace: 30,
      init: [],
      volumes: [],
    })
  })

  test('says how many replicas it has and how long each may take to end', () => {
    expect(onlyWorkload(workload({ replicas: 0 }, { terminationGracePeriodSeconds: 45 }))).toMatchObject({
      replicas: 0,
      grace: 45,
    })
  })

  test('is a StatefulSet, whose claim templates are volumes of its pods', () => {
    const set = onlyWorkload(workload({ volumeClaimTemplates: [{ metadata: { name: 'data' } }] }, {}, 'StatefulSet'))
    expect(set).toMatchObject({
      name: 'set/n8n-main',
      volumes: [{ name: 'data', kind: 'claim', claim: 'data-n8n-main' }],
    })
  })

  test('has the containers that run before it in their order', () => {
    const init = ['first', 'second'].map((name) => ({ name, image: 'n8nio/n8n:2.41.1' }))
    expect(onlyWorkload(workload({}, { initContainers: init })).init.map(({ name }) => name)).toEqual([
      'first',
      'second',
    ])
  })

  test('has a sidecar, an init container that goes on, beside what it is for', () => {
    const init = [
      { name: 'wait', image: 'n8nio/n8n:2.41.1' },
      { name: 'runner', image: 'n8nio/runners:2.41.1', restartPolicy: 'Always' },
    ]
    const { init: before, containers } = onlyWorkload(workload({}, { initContainers: init }))
    expect([before.map(({ name }) => name), containers.map(({ name }) => name)]).toEqual([['wait'], ['n8n', 'runner']])
  })

  test('is none that Helm runs as a hook, nor any other kind of object', () => {
    const hook = { ...workload(), metadata: { name: 'probe', annotations: { 'helm.sh/hook': 'test' } } }
    expect(rendered(hook, { kind: 'ServiceAccount', metadata: { name: 'n8n' } })).toEqual({
      tier: null,
      workloads: [],
      services: [],
    })
  })
})

describe('a container', () => {
  test('runs what its image does unless it says otherwise', () => {
    expect(running({})).toMatchObject({
      command: null,
      args: [],
      env: {},
      ports: [],
      mounts: [],
      readiness: null,
      limits: { cpu: null, memory: null },
    })
    expect(running({ command: ['n8n'], args: ['worker'] })).toMatchObject({ command: ['n8n'], args: ['worker'] })
  })

  test.each([
    ['n8nio/n8n:2.41.1', 'n8nio/n8n', '2.41.1'],
    ['localhost:5000/n8n:0.221.2', 'localhost:5000/n8n', '0.221.2'],
    [`n8nio/n8n:2.41.1@sha256:${'a'.repeat(64)}`, 'n8nio/n8n', '2.41.1'],
  ])('of %s runs that version', (image, repository, tag) => {
    expect(running({ image }).image).toEqual({ repository, tag })
  })

  test('has its limits in cores and bytes', () => {
    expect(running({ resources: { limits: { cpu: '500m', memory: '1Gi' } } }).limits).toEqual({
      cpu: 0.5,
      memory: 2 ** 30,
    })
  })

  test('runs as the pod says, unless it says otherwise itself', () => {
    const pod = {
      securityContext: { runAsUser: 1000, runAsGroup: 1000 },
      containers: [
        { name: 'n8n', image: 'n8nio/n8n:2.41.1', securityContext: { runAsUser: 999, readOnlyRootFilesystem: true } },
      ],
    }
    expect(onlyWorkload(workload({}, pod)).containers[0]).toMatchObject({
      user: { uid: 999, gid: 1000 },
      readOnlyRoot: true,
    })
    expect(running({})).toMatchObject({ user: null, readOnlyRoot: false })
  })

  test('tells where it listens, where it is asked whether it is ready, and what is mounted', () => {
    const container = running({
      ports: [{ name: 'http', containerPort: 5678 }],
      readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'data', mountPath: '/icon.svg', subPath: 'icon', readOnly: true },
      ],
    })
    expect(container).toMatchObject({
      ports: [{ name: 'http', port: 5678 }],
      readiness: { path: '/healthz', port: 'http' },
      mounts: [
        { path: '/data', volume: 'data', subPath: null },
        { path: '/icon.svg', volume: 'data', subPath: 'icon' },
      ],
    })
  })
})

test('a container may be asked by a command whether it is ready', () => {
  expect(running({ readinessProbe: { exec: { command: ['pg_isready'] } } }).readiness).toEqual({
    command: ['pg_isready'],
  })
})

test('a Secret that the chart generates at its installation is generated, the same for every plan', () => {
  const env = [
    { name: 'MANIFEST', value: JSON.stringify({ kind: 'Secret', metadata: { name: 'generated' } }) },
    { name: 'KEYS', value: 'one two' },
  ]
  const hook = {
    kind: 'Job',
    metadata: { name: 'generate', annotations: { 'helm.sh/hook': 'pre-install' } },
    spec: { template: { spec: { containers: [{ env }] } } },
  }
  const asked = () => running(ref('secretKeyRef', 'generated', 'one'), hook).env.IT
  expect(asked()).toMatch(/^[0-9a-f]{48}$/)
  expect(asked()).toBe(asked())
  expect(running(ref('secretKeyRef', 'generated', 'two'), hook).env.IT).not.toBe(asked())
})

describe('an environment variable', () => {
  test('is text, whatever was written', () => {
    expect(running({ env: [{ name: 'A', value: 'yes' }, { name: 'B', value: '1' }, { name: 'C' }] }).env).toEqual({
      A: 'yes',
      B: '1',
      C: '',
    })
  })

  test('comes from a Secret, decoded', () => {
    expect(running(ref('secretKeyRef', 'keys', 'key'), secret).env).toEqual({ IT: 'sesame' })
    expect(running(ref('secretKeyRef', 'keys', 'plain'), secret).env).toEqual({ IT: 'open' })
  })

  test('comes from a ConfigMap', () => {
    expect(running(ref('configMapKeyRef', 'settings', 'zone'), configMap).env).toEqual({ IT: 'UTC' })
  })

  test('comes with all others of its ConfigMap or Secret, and goes over them', () => {
    const envFrom = [{ configMapRef: { name: 'settings' } }, { prefix: 'MY_', secretRef: { name: 'keys' } }]
    expect(running({ envFrom, env: [{ name: 'level', value: 'debug' }] }, configMap, secret).env).toMatchObject({
      zone: 'UTC',
      level: 'debug',
      MY_key: 'sesame',
    })
  })

  test('tells the pod of itself', () => {
    const env = ['metadata.name', 'metadata.namespace'].map((fieldPath) => ({
      name: fieldPath,
      valueFrom: { fieldRef: { fieldPath } },
    }))
    expect(running({ env }).env).toEqual({ 'metadata.name': 'n8n-main', 'metadata.namespace': 'flows' })
  })

  test('is left out where its source is optional and not there', () => {
    expect(running(ref('secretKeyRef', 'theirs', 'key', true)).env).toEqual({})
    expect(running(ref('secretKeyRef', 'keys', 'other', true), secret).env).toEqual({})
    expect(running({ envFrom: [{ configMapRef: { name: 'theirs', optional: true } }] }).env).toEqual({})
  })

  test.each([
    ['a Secret', ref('secretKeyRef', 'theirs', 'key'), 'IT from the Secret "theirs"'],
    ['a key of a ConfigMap', ref('configMapKeyRef', 'settings', 'other'), 'IT from the ConfigMap "settings"'],
    ['a whole Secret', { envFrom: [{ secretRef: { name: 'theirs' } }] }, 'environment from the Secret "theirs"'],
  ])('that needs %s of the cluster is refused, since there is none here', async (_, container, missing) => {
    const refusal = await refusalOf(() => running(container, configMap))
    expect(refusal.message).toBe(`Expected a plan that runs on one machine, got ${missing}.`)
    expect(refusal.code).toBe('not-on-this-target')
  })
})

describe('secrets', () => {
  const pod = workload(
    {},
    {
      containers: [
        {
          name: 'n8n',
          image: 'n8nio/n8n:2.41.1',
          env: [{ name: 'PLAIN', value: 'x' }, ...ref('secretKeyRef', 'keys', 'key').env],
          envFrom: [{ prefix: 'K_', secretRef: { name: 'more' } }],
        },
      ],
    },
  )
  const more = { kind: 'Secret', metadata: { name: 'more' }, stringData: { token: 'open' } }

  test('are named, so that who writes variables down can leave them out', () => {
    expect(onlyWorkload(pod, secret, more).containers[0]).toMatchObject({
      env: { PLAIN: 'x', IT: 'sesame', K_token: 'open' },
      secrets: ['K_token', 'IT'],
    })
  })

  test('need not be there for whoever has them elsewhere', () => {
    const { workloads } = planFrom([pod, more].map((manifest) => stringify(manifest)).join('---\n'), {
      secretsElsewhere: true,
    })
    expect(workloads[0]!.containers[0]).toMatchObject({ env: { PLAIN: 'x' }, secrets: ['K_token', 'IT'] })
  })
})

describe('a volume', () => {
  test('outlives the pod as a claim, and not as an empty one', () => {
    expect(holding({ persistentVolumeClaim: { claimName: 'n8n-data' } })).toEqual({
      name: 'data',
      kind: 'claim',
      claim: 'n8n-data',
    })
    expect(holding({ emptyDir: {} })).toEqual({ name: 'data', kind: 'empty' })
  })

  test('holds every key of a ConfigMap or Secret as a file', () => {
    expect(holding({ configMap: { name: 'settings' } }, configMap)).toMatchObject({
      kind: 'files',
      files: { zone: Buffer.from('UTC'), icon: Buffer.from([1, 2]) },
    })
    expect(holding({ secret: { secretName: 'keys' } }, secret)).toMatchObject({ files: { key: Buffer.from('sesame') } })
  })

  test('holds the items it lists, at their paths, and nothing else', () => {
    const items = [{ key: 'zone', path: 'etc/zone' }]
    expect(holding({ configMap: { name: 'settings', items } }, configMap)).toMatchObject({
      files: { 'etc/zone': Buffer.from('UTC') },
    })
    expect(
      Object.keys((holding({ configMap: { name: 'settings', items } }, configMap) as { files: object }).files),
    ).toHaveLength(1)
  })

  test('of what only a cluster has is refused, unless it is optional', async () => {
    expect((await refusalOf(() => holding({ secret: { secretName: 'theirs' } }))).message).toContain(
      'volume data from the Secret "theirs"',
    )
    expect(holding({ configMap: { name: 'theirs', optional: true } })).toMatchObject({ files: {} })
  })
})

describe('a service', () => {
  test('leads each of its ports to the component it selects', () => {
    const { services } = rendered({
      kind: 'Service',
      metadata: { name: 'n8n' },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }, { port: 5679 }] },
    })
    expect(services).toEqual([
      { name: 'n8n', port: 80, targetPort: 'http', component: 'main' },
      { name: 'n8n', port: 5679, targetPort: 5679, component: 'main' },
    ])
  })
})
