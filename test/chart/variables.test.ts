import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'
import { root } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary.ts'

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

/** The chart's own table of variables that n8n 3 no longer reads. */
const removed = parse(
  /define "n8n-tuned.removed" -}}\n(.*?)\n{{- end/s.exec(
    readFileSync(join(paths.chart, 'templates/refusals/_env.tpl'), 'utf8'),
  )![1]!,
) as Record<string, { since: string }>

function variablesSet(version: string, values: object): string[] {
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

/** What tools/n8n-variables found in the sources of each n8n that installs here. */
const known = JSON.parse(readFileSync(join(paths.chart, 'files/n8n-variables.json'), 'utf8')) as Record<
  string,
  string[]
>

const folder = temporaryFolder()

describe.each(Object.keys(known))('n8n %s', (version) => {
  const told = version.startsWith('2.') ? { ...scenarios, ...later } : scenarios
  test.each(Object.entries(told))('knows every variable that the chart sets %s', (_, values) => {
    expect(variablesSet(version, values).filter((name) => !known[version]!.includes(name))).toEqual([])
  })
})

test('n8n 2.41.1 knows each variable that the chart refuses for later releases', () => {
  expect(Object.keys(removed).filter((name) => !known['2.41.1']!.includes(name))).toEqual([])
})

test('the list is of the n8n that are installed', () => {
  const file = join(folder, 'variables.json')
  execFileSync(join(root, 'tools/n8n-variables'), [file])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(known)
})
