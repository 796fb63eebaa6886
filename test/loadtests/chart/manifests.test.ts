import { rendered, workload, running, onlyWorkload, ref } from '../fixtures/manifests.ts'

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
