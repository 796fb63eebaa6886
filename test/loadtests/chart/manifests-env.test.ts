import { stringify } from 'yaml'
import { planFrom } from '../../../loadtests/src/chart/manifests.ts'
import type { Volume } from '../../../loadtests/src/chart/plan.ts'
import { refusalOf } from '../../support/refusal.ts'
import { rendered, labels, workload, running, onlyWorkload, ref } from '../fixtures/manifests.ts'

const holding = (volume: object, ...others: object[]): Volume =>
  onlyWorkload(workload({}, { volumes: [{ name: 'data', ...volume }] }), ...others).volumes[0]!

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
