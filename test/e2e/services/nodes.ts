import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openCatalog } from '../../../loadtests/src/n8n/catalog.ts'
import { withMadeCredentials } from '../../../loadtests/src/workload/made/credentials.ts'
import { withMockAddress, type Ports } from '../../../loadtests/src/model/outside.ts'
import type { Credential } from '../../../loadtests/src/n8n/credentials.ts'
import type { Exported } from '../../../loadtests/src/n8n/exported.ts'
import { runtime } from '../../support/runtime.ts'

/** What a node of n8n does with a service. */
export interface Tried {
  /** Tells it from others, as a workflow's id would. */
  id?: string
  /** The type of the node; without a package, one of n8n-nodes-base. */
  node: string
  /** Of the node: the newest, unless it says. */
  version?: number
  parameters?: Record<string, unknown>
  /** What arrives at it. */
  item?: { json: object; binary?: object }
  /** Nodes below it, by what they are to it: a model, a memory, a tool, a store of vectors. */
  below?: Record<string, Tried>
}

export interface Given {
  error?: string
  stack?: string
  items: { json: Record<string, unknown>; binary?: Record<string, { fileName?: string }> }[]
}

export interface Nodes {
  try(tried: Tried): Promise<Given>
  stop(): Promise<void>
}

/** The nodes of an installed n8n, on its own n8n-core, in a process whose calls go where the variables say. */
export async function startNodes(variables: Record<string, string>, ports: Partial<Ports>): Promise<Nodes> {
  const { folder, node } = runtime('2.41.1')
  const catalog = openCatalog(folder)
  const child = fork(join(import.meta.dirname, 'serve.cjs'), [folder], {
    execPath: node,
    execArgv: [],
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
  if (!first) throw new Error(`Expected n8n's nodes to load, got:\n${errors}`)
  const waiting: ((given: Given) => void)[] = []
  child.on('message', ({ id, result }: { id: number; result: Given }) => waiting[id]!(result))
  child.on('exit', () => waiting.forEach((tell) => tell({ error: `n8n-core ended:\n${errors}`, items: [] })))

  const nodeOf = (name: string, { node: kind, version, parameters = {} }: Tried) => {
    const type = kind.includes('.') ? kind : `n8n-nodes-base.${kind}`
    const known = catalog.node(type, version)
    if (!known) throw new Error(`n8n has no node ${type}.`)
    const typeVersion = version ?? Math.max(...[known.version].flat())
    return { id: name, name, type, typeVersion, position: [0, 0] as [number, number], parameters }
  }
  const belowOf = (name: string, { below = {} }: Tried): [string, string, Tried][] =>
    Object.entries(below).flatMap(([kind, one]) => [
      [name, kind, one] as [string, string, Tried],
      ...belowOf(`${name} ${kind}`, one),
    ])

  return {
    try(tried) {
      const below = belowOf('Tried', tried)
      const nodes = [
        nodeOf('Start', { node: 'manualTrigger' }),
        nodeOf('Tried', tried),
        ...below.map(([above, kind, one]) => nodeOf(`${above} ${kind}`, one)),
      ]
      const link = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] })
      const connections = {
        Start: link('Tried'),
        ...Object.fromEntries(below.map(([above, kind]) => [`${above} ${kind}`, link(above, kind)])),
      }
      const { workflow, made } = withMadeCredentials(
        { id: tried.id, name: 'tried', active: false, settings: {}, nodes, connections } as unknown as Exported,
        [],
        catalog,
      )
      const led = withMockAddress(made, { host: '127.0.0.1', ports }) as Credential[]
      const credentials = Object.fromEntries(led.map(({ id, data }) => [id, data]))
      const job = {
        ...{ nodes: workflow.nodes, connections, credentials, start: 'Start', tried: 'Tried' },
        item: { json: {}, ...tried.item },
      }
      return new Promise((resolve) => {
        child.send({ id: waiting.length, job })
        waiting.push(resolve)
      })
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
