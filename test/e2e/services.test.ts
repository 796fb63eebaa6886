import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { Outside } from '../../loadtests/src/model/outside.ts'
import { credentialMark } from '../../loadtests/src/workload/made/credentials.ts'
import { isKnownHost } from '../../loadtests/src/workload/outside/answers/directory.ts'
import { makeAuthority } from '../../loadtests/src/workload/outside/certificates.ts'
import { answeredAt, mock } from '../../loadtests/src/workload/outside/server/mock.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { startNodes, type Nodes, type Tried } from './services/nodes.ts'

/** Real nodes of n8n ask the mock of each service, as in a run of the lab: by a proxy, with made credentials. */

/** A file of services/: what nodes do with the service of that name. */
interface Case extends Tried {
  does: string
  /** A part of the first item. */
  gives?: Record<string, unknown>
  /** The names of its files. */
  files?: string[]
  /** What nodes after it read of its items, by which the mock then answers. */
  reads?: object
}

const folder = join(import.meta.dirname, 'services')
const filesIn = (place: string) =>
  readdirSync(place)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
const serviceOf = (file: string) =>
  (parse(readFileSync(join(paths.services, `${file}.yaml`), 'utf8')) as { service: string }).service
const casesOf = (service: string) =>
  parse(readFileSync(join(folder, `${service}.yaml`), 'utf8'), { merge: true }) as Case[]

/** A text between slashes is a pattern. */
function matching(value: unknown): unknown {
  if (typeof value === 'string' && /^\/.+\/$/.test(value)) return expect.stringMatching(new RegExp(value.slice(1, -1)))
  if (Array.isArray(value)) return value.map(matching)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, matching(one)]))
}
const namesOf = (binary: Record<string, { fileName?: string }> = {}) =>
  Object.values(binary).map(({ fileName }) => fileName)

/** Their nodes are triggers alone: the lab hands on an item in their place. */
const triggersAlone = ['imap', 'typeform']

const authority = await makeAuthority()
// Each answers at once: how long a service takes is of no interest here.
const { rules } = Outside.parse({ rules: [{ host: '*', latency: '1ms' }] })
const hints = filesIn(folder).flatMap((file) =>
  casesOf(file).map(({ does, reads = null }) => ({
    ...{ node: 'Tried', by: [credentialMark(`${file} ${does}`, 'Tried')], service: serviceOf(file) },
    ...{ sample: reads, must: null },
  })),
)
const server = mock({ rules, record: null, hints }, authority)
const qdrant = createServer((socket) => answeredAt(server, socket, 'qdrantapi.mock.test'))
let proxy: string
let nodes: Nodes

async function listening(one: Server): Promise<number> {
  one.listen(0, '127.0.0.1')
  await once(one, 'listening')
  return (one.address() as AddressInfo).port
}

const home = temporaryFolder()
beforeAll(async () => {
  proxy = `http://127.0.0.1:${await listening(server)}`
  const certificate = join(home, 'authority.pem')
  writeFileSync(certificate, authority.certificate)
  nodes = await startNodes(
    {
      ...{ HOME: home, N8N_USER_FOLDER: home, NODE_EXTRA_CA_CERTS: certificate, NODE_USE_ENV_PROXY: '1' },
      ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: '127.0.0.1' },
    },
    { qdrant: await listening(qdrant) },
  )
}, 300_000)
afterAll(async () => {
  await nodes?.stop()
  qdrant.close()
  server.close().closeAllConnections()
})

describe.each(filesIn(folder))('%s', (service) => {
  it.each(casesOf(service).map((one) => [one.does, one] as const))(
    '%s',
    async (_, { gives = {}, files, does, ...tried }) => {
      const { error, stack, items } = await nodes.try({ ...tried, id: `${service} ${does}` })
      expect(error && `${error}\n${stack}`).toBeUndefined()
      expect(items[0]?.json).toMatchObject(matching(gives) as object)
      if (files) expect(namesOf(items[0]?.binary)).toEqual(matching(files))
    },
  )
})

it('no node asked what the file of its service does not know', async () => {
  const { calls } = (await (await fetch(proxy)).json()) as { calls: { host: string; outcome: string }[] }
  expect(calls.filter(({ host, outcome }) => isKnownHost(host) && outcome !== 'answered')).toEqual([])
})

it('each service is asked', () => {
  expect([...filesIn(folder), ...triggersAlone].sort()).toEqual(filesIn(paths.services))
})
