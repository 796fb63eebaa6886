import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { refuseStoresOfOthers } from '../../../../loadtests/src/chart/own-stores.ts'
import { isolate } from '../../../../loadtests/src/chart/isolate/isolate.ts'
import { planFrom } from '../../../../loadtests/src/chart/manifests.ts'
import { manifests } from '../../../../loadtests/src/chart/render.ts'
import { mergeValues } from '../../../../loadtests/src/lib/values.ts'
import { root } from '../../../support/command.ts'
import type { Values } from '../../../../loadtests/src/model/experiment.ts'

/** Values as operators deploy production with, and the chart's own examples of them. */

const files = [
  ...globSync(join(import.meta.dirname, '../fixtures/production/*.yaml')),
  ...globSync(join(root, 'charts/n8n-tuned/ci/*.yaml')),
]
const read = (file: string): Values => parse(readFileSync(file, 'utf8'), { merge: true })
const measured = (values: Values) => mergeValues(values, { monitoring: { enabled: true } })

const surrounding = ['Ingress', 'HTTPRoute', 'ScaledObject', 'HorizontalPodAutoscaler', 'PodMonitor', 'PrometheusRule']
const named = files.map((file) => [basename(file, '.yaml'), file])

test.each(named)('%s needs nothing that only production has, and names none of its addresses', async (_, file) => {
  const { values } = isolate(measured(read(file!)))
  const rendered = await manifests(values)
  const plan = planFrom(rendered)
  expect(() => refuseStoresOfOthers(plan)).not.toThrow()
  expect(plan.workloads.map(({ component }) => component)).toContain('main')
  const { objects, made, wanted } = referencesIn(rendered)
  expect(wanted.filter((reference) => !made.includes(reference))).toEqual([])
  expect(objects.filter(({ kind }) => surrounding.includes(kind))).toEqual([])
  const addresses = rendered.match(/\S*(?:example\.com|amazonaws)\S*/g) ?? []
  // Keys of labels and annotations have a company's name, and reach nowhere.
  expect(addresses.filter((text) => !/^(example\.com|eks\.amazonaws\.com)\//.test(text))).toEqual([])
})

test.each(named)('%s is isolated once: it comes back as it is', (_, file) => {
  for (const images of ['installed', 'pulled'] as const) {
    const once = isolate(read(file!), { images })
    expect(isolate(once.values, { images })).toEqual({ values: once.values, setAside: [] })
  }
})

test('what n8n is tuned with stays as it is', () => {
  const { values } = isolate(read(join(import.meta.dirname, '../fixtures/production/secrets.yaml')))
  expect(values).toMatchObject({
    tuning: { tier: 'lean' },
    timezone: 'Europe/Berlin',
    logLevel: 'warn',
    database: { type: 'embedded', poolSize: 4, maxConnections: 150 },
    redis: { type: 'embedded', prefix: 'n8n' },
    worker: { replicas: 2, concurrency: 20 },
    webhook: { replicas: 2 },
  })
  expect((values.role as Values).extraEnv).toEqual({
    EXECUTIONS_DATA_PRUNE: 'true',
    EXECUTIONS_DATA_MAX_AGE: 168,
    EXECUTIONS_TIMEOUT: 3600,
    N8N_PAYLOAD_SIZE_MAX: 64,
    CRM_API_KEY: 'made-up-by-n8n-tuned',
    POD_IP: { valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  })
})

interface Object {
  kind: string
  metadata: { name: string }
}

/** The objects, the names that they make, and the names that their pods need. */
function referencesIn(rendered: string): { objects: Object[]; made: string[]; wanted: string[] } {
  const objects = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Object | null)
    .filter((object) => object !== null)
  const named = (kind: string, name: string) => `${kind} ${name}`
  const wanted: string[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const name = (inner as { name?: string } | null)?.name
      if (/^(secretKeyRef|secretRef)$/.test(key)) wanted.push(named('Secret', name!))
      if (/^(configMapKeyRef|configMapRef|configMap)$/.test(key) && name) wanted.push(named('ConfigMap', name))
      if (key === 'secretName') wanted.push(named('Secret', inner as string))
      if (key === 'claimName') wanted.push(named('PersistentVolumeClaim', inner as string))
      if (key === 'serviceAccountName' && inner !== 'default') wanted.push(named('ServiceAccount', inner as string))
      if (key === 'imagePullSecrets') wanted.push(named('Secret', JSON.stringify(inner)))
      look(inner)
    }
  }
  look(objects)
  // The hook makes one Secret, whose manifest it has as text.
  const generated = [...rendered.matchAll(/\\"name\\":\\"([^"\\]+-generated)\\"/g)].map(([, name]) => name!)
  return {
    objects,
    made: [
      ...objects.map(({ kind, metadata }) => named(kind, metadata.name)),
      ...generated.map((name) => named('Secret', name)),
    ],
    wanted: [...new Set(wanted)],
  }
}
