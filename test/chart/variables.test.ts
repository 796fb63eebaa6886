import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'
import { isLine0, runtime, versions, type Version } from '../support/runtime.ts'

const queue = { executions: { mode: 'queue' }, database: { type: 'embedded' } }
const scenarios = {
  'as it is': {},
  'in queue mode': { ...queue, worker: { concurrency: 5 } },
  'with all that is optional': {
    ...queue,
    monitoring: { enabled: true },
    publicUrl: 'https://a',
    proxyHops: 1,
    telemetry: { templates: false },
  },
  'with files on disk, mail and code': {
    binaryData: { mode: 'filesystem' },
    smtp: { host: 'mail', sender: 'n8n', user: 'n8n', existingSecret: { name: 'mail' } },
    runner: { javascript: { builtin: 'crypto', external: '*' } },
  },
}
/** What n8n 2 alone is told. */
const later = {
  'of a store of files': {
    binaryData: { mode: 's3', s3: { bucket: 'a', region: 'a', host: 'a', existingSecret: { name: 'a' } } },
  },
  'of a store that knows it': { binaryData: { mode: 's3', s3: { bucket: 'a' } } },
  'of a provider of identities': {
    sso: { oidc: { discoveryUrl: 'https://a', clientId: 'a', existingSecret: { name: 'a' } } },
  },
  'of one that speaks SAML, and where events go': {
    sso: { saml: { metadataUrl: 'https://a' } },
    logStreaming: { existingSecret: { name: 'a' } },
  },
}

/** Read by other programs than n8n: Node, npm and the C library. */
const notOfN8n = ['NODE_OPTIONS', 'NPM_CONFIG_CACHE', 'TZ']

interface Container {
  env?: { name: string }[]
}
interface Workload {
  kind: string
  spec: { template: { spec: { containers: Container[] } } }
}

function variablesSet(version: Version, values: object): string[] {
  const yaml = execFileSync(
    tool('helm'),
    ['template', 'n8n', paths.chart, '--set', `image.tag=${version}`, '--values', '-'],
    { input: JSON.stringify(values), encoding: 'utf8' },
  )
  const roles = parseAllDocuments(yaml)
    .map((document) => document.toJS() as Workload | null)
    .filter((object) => object?.kind === 'Deployment')
  const names = roles.flatMap((role) =>
    role!.spec.template.spec.containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name)),
  )
  return [...new Set(names)].filter((name) => !notOfN8n.includes(name)).sort()
}

/** Every name in capitals that this n8n's own code has. */
function variablesKnown(version: Version): Set<string> {
  const modules = join(runtime(version).folder, 'node_modules')
  const own = ['n8n', 'n8n-core', '@n8n/config', '@n8n/blob-storage']
  const known = new Set<string>()
  const folders = own.map((name) => join(modules, name, 'dist')).filter((folder) => existsSync(folder))
  for (const file of folders.flatMap(scripts)) {
    for (const [name] of readFileSync(file, 'utf8').matchAll(/[A-Z][A-Z0-9]*_[A-Z0-9_]+/g)) known.add(name)
  }
  return known
}

const scripts = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(folder, file))

describe.each(versions)('n8n %s', (version) => {
  const known = variablesKnown(version)

  const told = isLine0(version) ? scenarios : { ...scenarios, ...later }
  test.each(Object.entries(told))('knows every variable that the chart sets %s', (_, values) => {
    expect(variablesSet(version, values).filter((name) => !known.has(name))).toEqual([])
  })
})
