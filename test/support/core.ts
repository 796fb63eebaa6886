import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  IBinaryKeyData,
  ICredentialType,
  IDataObject,
  INodeCredentialTestResult,
  INodeTypeDescription,
} from 'n8n-workflow'
import { installNodes, isLine0, runtime, type Version } from './runtime.ts'

export type NodeName = 'loadTarget' | 'queue' | 'queuePressureTrigger'

/** One execution of a node. */
export interface Job {
  node?: NodeName
  parameters: IDataObject
  /** What arrives at it: by default one empty item. */
  items?: IDataObject[]
  /** Settings of the node, such as `continueOnFail`. */
  settings?: IDataObject
  credentials?: Record<string, IDataObject>
  /** What n8n keeps for the node from one execution to the next. */
  staticData?: IDataObject
  mode?: 'manual' | 'trigger'
  /** Milliseconds. */
  cancelAfter?: number
}

export interface Failure {
  name: string
  message: string
  itemIndex?: number
  node?: string
}

export interface Result {
  status: string
  items: { json: IDataObject & { error?: string }; binary?: IBinaryKeyData; pairedItem?: { item: number } }[] | null
  error?: Failure
  staticData: IDataObject
}

/** The trigger of an active workflow. */
export interface Activated {
  /** What it started the workflow with so far, or told n8n as its failure. */
  told: { event?: IDataObject; error?: string; staticData: IDataObject }[]
  deactivate(): Promise<void>
}

export interface Core {
  descriptions: Record<NodeName, INodeTypeDescription>
  credentials: Record<string, ICredentialType>
  pid: number
  run(job: Job): Promise<Result>
  /** What "Test" in the dialog of a credential does. */
  testCredential(type: string, data: IDataObject): Promise<INodeCredentialTestResult>
  activate(job: Job): Promise<Activated>
  stop(): Promise<void>
}

interface Message {
  id?: number
  result?: unknown
  failure?: Failure
  watch?: number
  told?: Activated['told'][number]
}

/** The n8n-core of that version in a process of its own, with the built package loaded as n8n loads it. */
export async function startCore(version: Version): Promise<Core> {
  const { folder, node } = runtime(version)
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-core-'))
  const nodes = installNodes(home)
  const driver = join(import.meta.dirname, '../nodes/core/serve.cjs')
  const child = fork(driver, [folder, nodes, isLine0(version) ? '0' : '2', join(home, 'binary')], {
    execPath: node,
    execArgv: [],
    env: { PATH: process.env.PATH, HOME: home, N8N_USER_FOLDER: home, N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))

  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
  if (!first) throw new Error(`Expected n8n-core ${version} to load the package, got:\n${errors}`)

  const waiting: ((answer: Message) => void)[] = []
  const watches = new Map<number, Activated['told']>()
  child.on('message', (message: Message) => {
    if (message.watch !== undefined) watches.get(message.watch)!.push(message.told!)
    else waiting[message.id!]!(message)
  })
  child.on('exit', () =>
    waiting.forEach((tell) => tell({ failure: { name: 'Error', message: `n8n-core ${version} ended:\n${errors}` } })),
  )

  const ask = <T = Result>(what: 'execute' | 'activate' | 'deactivate' | 'testCredential', job: unknown) =>
    new Promise<T>((resolve, reject) => {
      child.send({ id: waiting.length, ask: what, job })
      waiting.push(({ result, failure }) => (result ? resolve(result as T) : reject(new Error(failure!.message))))
    })
  const complete = (job: Job) => ({ node: 'loadTarget', ...job })

  return {
    descriptions: first.descriptions,
    credentials: first.credentials,
    pid: child.pid!,
    run: (job) => ask('execute', complete(job)),
    testCredential: (type, data) => ask('testCredential', { type, data }),
    async activate(job) {
      const id = waiting.length
      const told: Activated['told'] = []
      watches.set(id, told)
      await ask('activate', complete(job))
      return { told, deactivate: async () => void (await ask('deactivate', id)) }
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
