import { convertFiles, type ConvertAsked } from '../../../loadtests/src/convert/files.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
const moved = async (from: ConvertAsked['from'], text: string, more: Partial<ConvertAsked> = {}) => {
  const file = await write(folder, `given-${from}`, text)
  const { converted, notes } = await convertFiles([file], { from, tag: '2.41.1', drop: [], profiles: [], ...more })
  return { values: converted.values, inside: converted.inside, notes }
}

/** Every variable that the source sets is in the values, or what became of it is in the notes. */
const kept = (names: string[], { values, notes }: Awaited<ReturnType<typeof moved>>) =>
  expect(names.filter((name) => !(JSON.stringify(values) + notes).includes(name))).toEqual([])

describe('manifests of Kubernetes', () => {
  const text = `
apiVersion: v1
kind: List
items:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: flows }
    spec:
      replicas: 1
      template:
        spec:
          terminationGracePeriodSeconds: 90
          securityContext: { fsGroup: 1000 }
          containers:
            - name: n8n
              image: n8nio/n8n:2.41.1
              envFrom: [{ configMapRef: { name: flows-env } }, { secretRef: { name: more } }]
              env:
                - { name: DB_TYPE, value: postgresdb }
                - { name: DB_POSTGRESDB_HOST, value: pg.db.svc }
                - { name: DB_POSTGRESDB_PASSWORD, valueFrom: { secretKeyRef: { name: pg, key: password } } }
              resources: { requests: { cpu: 100m }, limits: { memory: 1Gi } }
              livenessProbe: { httpGet: { path: /healthz, port: 5678 } }
              volumeMounts: [{ name: data, mountPath: /home/node/.n8n }]
          volumes: [{ name: data, persistentVolumeClaim: { claimName: my-n8n } }]
  - apiVersion: v1
    kind: ConfigMap
    metadata: { name: flows-env }
    data: { GENERIC_TIMEZONE: Europe/Berlin, MY_TEXT: abc }
  - { apiVersion: v1, kind: Service, metadata: { name: flows } }
`
  test('become values, and their Secrets and claims keep their names', async () => {
    const found = await moved('manifests', text)
    expect(found.values).toMatchObject({
      database: { type: 'external', host: 'pg.db.svc', password: { existingSecret: { name: 'pg', key: 'password' } } },
      persistence: { existingClaim: 'my-n8n' },
      timezone: 'Europe/Berlin',
      role: { extraEnv: { MY_TEXT: 'abc' }, extraEnvFrom: [{ secretRef: { name: 'more' } }] },
      main: { shutdown: { gracePeriodSeconds: 90 }, resources: { limits: { memory: '1Gi' } } },
    })
    expect(found.inside).toBe('kubectl exec deployment/flows --')
    kept(['DB_TYPE', 'DB_POSTGRESDB_HOST', 'GENERIC_TIMEZONE', 'MY_TEXT', 'objects'], found)
  })

  test('a part of a pod that it does not know is named, and nothing is printed', async () => {
    const chosen = text.replace('terminationGracePeriodSeconds: 90', 'nodeSelector: { disk: ssd }')
    await expect(moved('manifests', chosen)).rejects.toThrow('services.deployment/flows.nodeSelector')
  })

  test('what the chart says for its own pods is named with that reason', async () => {
    const { notes } = await moved('manifests', text)
    const dropped = notes.slice(notes.indexOf('Dropped'), notes.indexOf('Converted'))
    for (const key of ['securityContext', 'livenessProbe'])
      expect(dropped).toContain(`services.deployment/flows.${key}`)
    expect(notes).not.toContain('Docker')
  })

  test('stores beside n8n keep their names in the namespace', async () => {
    const beside = text.replace('value: pg.db.svc', 'value: postgres').concat(`
  - apiVersion: apps/v1
    kind: StatefulSet
    metadata: { name: postgres }
    spec: { template: { spec: { containers: [{ name: postgres, image: 'postgres:15' }] } } }
`)
    const { values, notes } = await moved('manifests', beside)
    expect(values).toMatchObject({ database: { type: 'external', host: 'postgres' } })
    expect(notes).not.toContain('Compose')
  })

  test('a proxy that stands first does not take what the pod says', async () => {
    const proxied = text.replace(
      '          containers:\n',
      '          containers:\n            - { name: proxy, image: proxy }\n',
    )
    expect((await moved('manifests', proxied)).values).toMatchObject({ main: { shutdown: { gracePeriodSeconds: 90 } } })
  })

  test('a part of a volume is named, and nothing is printed', async () => {
    const part = text.replace('mountPath: /home/node/.n8n', 'mountPath: /home/node/.n8n, subPath: n8n')
    await expect(moved('manifests', part)).rejects.toThrow('services.deployment/flows.subPath of /home/node/.n8n')
  })

  test('without a workload of n8n they are refused', async () => {
    await expect(moved('manifests', 'kind: Service\nmetadata: { name: a }\n')).rejects.toThrow(
      'Expected a Deployment or a StatefulSet with n8n’s image',
    )
  })
})
