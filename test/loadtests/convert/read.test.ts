import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { convertFiles, type ConvertAsked } from '../../../loadtests/src/convert/files.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
let number = 0

/** Files in a folder of their own, of which those that are named are converted. */
async function moved(
  files: Record<string, string>,
  named: string[],
  asked: Partial<ConvertAsked> & Pick<ConvertAsked, 'from'>,
) {
  const own = join(folder, String(number++))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(own, file, '..'), { recursive: true })
    await write(own, file, text)
  }
  const paths = named.map((file) => join(own, file))
  const {
    converted: { values },
    notes,
  } = await convertFiles(paths, { tag: '2.41.1', drop: [], profiles: [], ...asked })
  expect(JSON.stringify(values) + notes).not.toContain('not-to-be-printed')
  return { values, notes }
}

const regular = 'queueMode: { enabled: false }\ndatabase: { useExternal: false }\n'
const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by))

describe('an Application of Argo CD', () => {
  const application = (helm: string, more = '') => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: flows }
spec:
  ${more}
  source:
    chart: n8n
    repoURL: https://charts.example.com
    helm:
${indented(helm, 6)}`

  test('its four places of values are merged in Argo’s order, and parameters go last', async () => {
    const helm = `valueFiles: [values.yaml, $own/own.yaml, nowhere.yaml]
ignoreMissingValueFiles: true
values: |
  ${regular.replaceAll('\n', '\n  ')}
  replicaCount: 2
  service: { port: 81, type: NodePort }
valuesObject: { service: { port: 82 } }
parameters:
  - { name: 'podLabels.example\\.com/team', value: "7", forceString: true }
  - { name: replicaCount, value: "1" }`
    const { values } = await moved(
      {
        'app.yaml': application(helm),
        'values.yaml': 'of: the chart itself, which Argo CD would take\n',
        'own.yaml': 'service: { port: 80 }\npodAnnotations: { a: b }\n',
      },
      ['app.yaml'],
      { from: 'official' },
    )
    expect(values).toMatchObject({
      executions: { mode: 'regular' },
      main: { replicas: 1 },
      service: { port: 82, type: 'NodePort' },
      role: { podAnnotations: { a: 'b' }, podLabels: { 'example.com/team': '7' } },
    })
  })

  test('of several sources the chart is converted, and what the others deploy is left to the user', async () => {
    const sources = `
kind: Application
metadata: { name: flows }
spec:
  sources:
    - { chart: n8n, repoURL: x, helm: { releaseName: n8n, valueFiles: [$config/env/n8n.yaml] } }
    - { repoURL: y, ref: config }
    - { repoURL: y, path: manifests/n8n }`
    const { values, notes } = await moved(
      { 'apps/app.yaml': sources, 'env/n8n.yaml': `${regular}persistence: { enabled: true }\n` },
      ['apps/app.yaml'],
      { from: 'official' },
    )
    expect(values).toMatchObject({ persistence: { existingClaim: 'n8n' } })
    expect(notes).toMatch(/Left to you:\n[^\n]*This source stays[^\n]*\n {4}line 8: Application\.spec\.sources\[2\]/)
    expect(notes).toContain('../env/n8n.yaml, line 3: persistence.enabled')
  })

  test('a chart in its repository has values of its own', async () => {
    const source = 'kind: Application\nmetadata: { name: n8n }\nspec: { source: { path: charts/n8n, helm: {} } }\n'
    const { values } = await moved(
      { 'apps/app.yaml': source, 'charts/n8n/values.yaml': `n8n:\n${indented(regular, 2)}  replicaCount: 1\n` },
      ['apps/app.yaml'],
      { from: 'official' },
    )
    expect(values).toMatchObject({ main: { replicas: 1 } })
  })

  test('a file that is not there can be left out', async () => {
    const { values } = await moved(
      {
        'app.yaml': application(
          `valueFiles: [$a/nowhere.yaml]\nvaluesObject: { ${regular.trim().replace('\n', ', ')} }`,
        ),
      },
      ['app.yaml'],
      { from: 'official', drop: ['Application.spec.source.helm.valueFiles[0]'] },
    )
    expect(values).toMatchObject({ executions: { mode: 'regular' } })
  })

  test.each([
    ['a file that is not there', application('valueFiles: [nowhere.yaml]'), 'Expected the file nowhere.yaml'],
    ['an address', application('valueFiles: ["https://example.com/a.yaml"]'), 'got an address'],
    [
      'a template for several',
      'kind: ApplicationSet\nspec: { template: { spec: { source: { chart: n8n, helm: { values: "a: {{x}}" } } } } }',
      'got a template for several: {{x}}',
    ],
    ['other objects', 'apiVersion: apps/v1\nkind: Deployment\n', 'got a Deployment'],
  ])('%s ends it', async (_, text, said) => {
    await expect(moved({ 'app.yaml': text }, ['app.yaml'], { from: 'official' })).rejects.toThrow(said)
  })
})

describe('a HelmRelease of Flux', () => {
  const release = `
kind: HelmRelease
apiVersion: helm.toolkit.fluxcd.io/v2
metadata: { name: n8n }
spec:
  targetNamespace: flows
  chart: { spec: { chart: n8n } }
  valuesFrom:
    - { kind: ConfigMap, name: common }
    - { kind: Secret, name: db, valuesKey: pw, targetPath: externalPostgresql.password }
    - { kind: Secret, name: more }
  values:
    db: { type: postgresdb }
    externalPostgresql: { host: pg }
    main: { editorBaseUrl: "https://n8n.\${DOMAIN}" }
`
  const common = 'kind: ConfigMap\nmetadata: { name: common }\ndata:\n  values.yaml: |\n    timezone: Asia/Tokyo\n'

  test('values from a ConfigMap that is given too, Secrets as references, and its variables', async () => {
    const { values, notes } = await moved(
      { 'release.yaml': `${release}---\n${common}`, env: 'DOMAIN=example.com\n' },
      ['release.yaml'],
      { from: 'community', env: join(folder, String(number), 'env') },
    )
    expect(values).toMatchObject({
      timezone: 'Asia/Tokyo',
      publicUrl: 'https://n8n.example.com',
      database: { host: 'pg', password: { existingSecret: { name: 'db', key: 'pw' } } },
    })
    expect(notes).toMatch(
      /Left to you:[^]*kubectl get secret more --output yaml\.\n {4}line 11: HelmRelease\.spec\.valuesFrom\[2\]/,
    )
    expect(notes).toContain('kubectl exec deployment/flows-n8n')
  })

  test('a variable without a value ends it', async () => {
    await expect(moved({ 'release.yaml': release }, ['release.yaml'], { from: 'community' })).rejects.toThrow(
      'Expected a value for DOMAIN, which Flux fills in',
    )
  })
})

test('what kubectl prints of several objects is read, too', async () => {
  const list = `kind: List
items:
  - { kind: ConfigMap, metadata: { name: common }, data: { values.yaml: "timezone: Asia/Tokyo" } }
  - kind: HelmRelease
    metadata: { name: n8n }
    spec:
      valuesFrom: [{ kind: ConfigMap, name: common }]
      values: { main: { count: 1 } }
`
  const { values, notes } = await moved({ 'list.yaml': list }, ['list.yaml'], { from: 'community' })
  expect(values).toMatchObject({ timezone: 'Asia/Tokyo', main: { replicas: 1 } })
  expect(notes).toContain('line 8: main.count')
})

test('a HelmChart of k3s has its values in a text', async () => {
  const chart = `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: { name: n8n }
spec:\n  chart: n8n\n  set: { main.count: "1" }\n  valuesContent: |-\n    timezone: Asia/Tokyo\n    mainframe: 1\n`
  await expect(moved({ 'chart.yaml': chart }, ['chart.yaml'], { from: 'community' })).rejects.toThrow(
    /chart\.yaml:9: mainframe/,
  )
  const { values } = await moved({ 'chart.yaml': chart }, ['chart.yaml'], { from: 'community', drop: ['mainframe'] })
  expect(values).toMatchObject({ timezone: 'Asia/Tokyo', main: { replicas: 1 } })
})

test('of a helmfile the release of n8n is converted, with its files, its templates and what is set', async () => {
  const helmfile = `
templates: { common: { values: [common.yaml] } }
releases:
  - { name: db, chart: bitnami/postgresql, values: [nowhere.yaml] }
  - name: flows
    chart: community-charts/n8n
    inherit: [{ template: common }]
    values: [n8n.yaml, { main: { count: 1 } }]
    secrets: [secrets.yaml]
    set: [{ name: webhook.url, value: "https://hooks.example.com" }]
`
  const { values, notes } = await moved(
    {
      'helmfile.yaml': helmfile,
      'common.yaml': 'timezone: Asia/Tokyo\nlog: { level: warn }\n',
      'n8n.yaml': 'log: { level: debug }\nencryptionKey: not-to-be-printed\n',
    },
    ['helmfile.yaml'],
    { from: 'community' },
  )
  expect(values).toMatchObject({
    timezone: 'Asia/Tokyo',
    logLevel: 'debug',
    main: { replicas: 1 },
    webhookUrl: 'https://hooks.example.com',
  })
  expect(notes).toMatch(/Left to you:[^]*line 9: helmfile\.releases\[1\]\.secrets\[0\]/)
})

test('of a kustomization the chart’s values and image are converted, patches are left to the user', async () => {
  const kustomization = `
resources: [namespace.yaml]
images: [{ name: n8nio/n8n, newTag: 2.40.0 }]
patches: [{ path: probes.yaml }]
helmCharts:
  - { name: n8n, releaseName: n8n, valuesFile: values.yaml, valuesInline: { main: { replicaCount: 1 } } }
`
  const own = 'image: { tag: 2.39.0 }\nmain: { replicaCount: 3, config: { db: { type: sqlite } } }\n'
  const { values, notes } = await moved(
    { 'kustomization.yaml': kustomization, 'values.yaml': own },
    ['kustomization.yaml'],
    { from: '8gears', tag: undefined },
  )
  expect(values).toMatchObject({ image: { tag: '2.40.0' }, main: { replicas: 1 } })
  expect(notes).toMatch(/Left to you:[^]*kustomization\.resources[^]*kustomization\.patches[^]*Dropped/)
})

test('a later file of plain values goes before an earlier one, as in Helm', async () => {
  const { values, notes } = await moved(
    { 'a.yaml': `${regular}replicaCount: 3\n`, 'b.yaml': 'replicaCount: 1\nimage: { pullPolicy: Always }\n' },
    ['a.yaml', 'b.yaml'],
    { from: 'official' },
  )
  expect(values).toMatchObject({ main: { replicas: 1 }, image: { pullPolicy: 'Always' } })
  expect(notes).toContain('b.yaml, line 1: replicaCount → main.replicas')
})

describe('Compose', () => {
  const base = `services:
  base:
    image: n8nio/n8n:2.41.1
    env_file: [common.env]
    environment: [DB_TYPE=postgresdb, DB_POSTGRESDB_HOST=pg, "DB_POSTGRESDB_PASSWORD=\${NOBODY_GAVE_THIS}"]
`
  const compose = `services:
  n8n: { extends: { file: common/base.yaml, service: base }, environment: [N8N_HOST=one.example.com], cap_add: [A] }
  worker: { extends: { file: common/base.yaml, service: base }, command: worker, profiles: [queue] }
`
  const production = `services:
  n8n:
    environment: { EXECUTIONS_MODE: queue, N8N_HOST: two.example.com }
    cap_add: !reset []
  worker: { environment: { EXECUTIONS_MODE: queue } }
`
  const files = {
    'compose.yaml': compose,
    'production.yaml': production,
    'common/base.yaml': base,
    'common/common.env': 'GENERIC_TIMEZONE=Asia/Tokyo\n',
  }

  test('what a service extends, also in another folder, is its own', async () => {
    const { values, notes } = await moved(files, ['compose.yaml'], { from: 'compose' })
    expect(values).toMatchObject({ database: { host: 'pg' }, timezone: 'Asia/Tokyo', image: { tag: '2.41.1' } })
    expect(values).not.toHaveProperty('worker')
    expect(notes).toContain('--profile queue')
    expect(notes).toContain('line 2: services.n8n.cap_add')
  })

  test('several files are merged by Compose’s rules, with an active profile', async () => {
    const both = ['compose.yaml', 'production.yaml']
    const { values, notes } = await moved(files, both, { from: 'compose', profiles: ['queue'] })
    expect(values).toMatchObject({
      executions: { mode: 'queue' },
      worker: { replicas: 1 },
      publicUrl: 'http://two.example.com/',
    })
    expect(notes).not.toContain('cap_add')
    expect(notes).toContain('production.yaml, line 3: services.n8n.environment.N8N_HOST → publicUrl')
  })

  test('included files are part of it', async () => {
    const { values } = await moved(
      { ...files, 'outer.yaml': 'include: [compose.yaml, { path: [production.yaml] }]\n' },
      ['outer.yaml'],
      { from: 'compose', profiles: ['queue'] },
    )
    expect(values).toMatchObject({ executions: { mode: 'queue' }, database: { host: 'pg' } })
  })

  test('a variable of n8n without a value is empty, where there is a file of variables', async () => {
    const environment = '["EXECUTIONS_DATA_PRUNE=${NOBODY_GAVE_THIS}", "N8N_LOG_LEVEL=${LEVEL}"]'
    const { values } = await moved(
      {
        'compose.yaml': `services: { n8n: { image: "n8nio/n8n:2.41.1", environment: ${environment} } }`,
        '.env': 'LEVEL=warn',
      },
      ['compose.yaml'],
      { from: 'compose' },
    )
    expect(values).toMatchObject({ logLevel: 'warn' })
    expect(JSON.stringify(values)).not.toContain('PRUNE')
  })

  test.each([
    ['a list', '[N8N_ENCRYPTION_KEY, DB_POSTGRESDB_PASSWORD, DB_TYPE=postgresdb, DB_POSTGRESDB_HOST=pg]'],
    ['a map', '{ N8N_ENCRYPTION_KEY: , DB_POSTGRESDB_PASSWORD: , DB_TYPE: postgresdb, DB_POSTGRESDB_HOST: pg }'],
  ])('secrets that %s passes on from the shell are read from the running n8n', async (_, environment) => {
    const { values, notes } = await moved(
      { 'compose.yaml': `services: { n8n: { image: "n8nio/n8n:2.41.1", environment: ${environment} } }` },
      ['compose.yaml'],
      { from: 'compose' },
    )
    const inMoved = (key: string) => ({ existingSecret: { name: 'n8n-moved', key } })
    expect(values).toMatchObject({
      encryptionKey: inMoved('N8N_ENCRYPTION_KEY'),
      database: { password: inMoved('DB_POSTGRESDB_PASSWORD') },
    })
    expect(notes).toContain('variable("N8N_ENCRYPTION_KEY")')
  })

  test('a program around n8n that is built here is none', async () => {
    const autoscaler = '{ build: ./n8n-autoscaler, environment: { N8N_WORKER_SERVICE_NAME: worker } }'
    const { notes } = await moved(
      { 'compose.yaml': `services: { n8n: { image: "n8nio/n8n:2.41.1" }, autoscaler: ${autoscaler} }` },
      ['compose.yaml'],
      { from: 'compose' },
    )
    expect(notes).toMatch(/It is another program[^\n]*\n {4}line 1: services\.autoscaler/)
  })

  test('a service that extends one that is not there ends it', async () => {
    const lost = 'services: { n8n: { image: "n8nio/n8n:2.41.1", extends: nobody } }\n'
    await expect(moved({ 'compose.yaml': lost }, ['compose.yaml'], { from: 'compose' })).rejects.toThrow(
      'Expected the service nobody, found none',
    )
  })
})

test('a stack of Swarm: its containers, its secrets and its placement', async () => {
  const stack = `
version: "3.8"
x-environment: &environment
  DB_TYPE: postgresdb
  DB_POSTGRESDB_HOST: pg
  DB_POSTGRESDB_PASSWORD_FILE: /run/secrets/pw
  EXECUTIONS_MODE: queue
services:
  editor:
    image: n8nio/n8n:2.41.1
    environment: *environment
    secrets: [pw]
    configs: [{ source: hooks, target: /home/node/hooks.js }]
    deploy:
      { replicas: 1, endpoint_mode: vip, placement: { constraints: [node.role == manager, node.labels.disk == ssd] } }
  worker: { image: "n8nio/n8n:2.41.1", command: worker, environment: *environment, deploy: { mode: global } }
secrets: { pw: { external: true } }
configs: { hooks: { file: ./hooks.js } }
`
  const { values, notes } = await moved({ 'stack.yml': stack }, ['stack.yml'], { from: 'swarm', release: 'flows' })
  expect(values).toMatchObject({ database: { password: { existingSecret: { name: 'n8n-moved' } } } })
  expect(notes).toContain('docker exec $(docker ps --quiet --filter label=com.docker.swarm.service.name=flows_editor')
  const left = notes.slice(notes.indexOf('Left to you'), notes.indexOf('Dropped'))
  for (const key of ['configs', 'deploy.placement.constraints[1]', 'worker.deploy.mode']) expect(left).toContain(key)
  expect(left).not.toContain('constraints[0]')
})
