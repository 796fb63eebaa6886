import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow'
import { installNodes, isLine0, runtime, type Version } from './runtime.ts'

/** One execution of Load Target. */
export interface Job {
  parameters: IDataObject
  /** What arrives at it: by default one empty item. */
  items?: IDataObject[]
  /** Settings of the node, such as `continueOnFail`. */
  settings?: IDataObject
  /** Milliseconds. */
  cancelAfter?: number
}

export interface Result {
  status: string
  items: { json: IDataObject & { error?: string }; pairedItem?: { item: number } }[] | null
  error?: { name: string; message: string; itemIndex?: number; node?: string }
}

export interface Core {
  description: INodeTypeDescription
  pid: number
  run(job: Job): Promise<Result>
  stop(): Promise<void>
}

/** The n8n-core of that version in a process of its own, with the built package loaded as n8n loads it. */
export async function startCore(version: Version): Promise<Core> {
  const { folder, node } = runtime(version)
  const home = await mkdtemp(join(tmpdir(), 'n8n-tuned-core-'))
  const nodes = installNodes(home)
  const driver = join(import.meta.dirname, '../nodes/core/serve.cjs')
  const child = fork(driver, [folder, nodes, isLine0(version) ? '0' : '2'], {
    execPath: node,
    execArgv: [],
    env: { PATH: process.env.PATH, HOME: home, N8N_USER_FOLDER: home },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))

  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
  if (!first) throw new Error(`Expected n8n-core ${version} to load the package, got:\n${errors}`)

  const waiting: ((answer: { result?: Result; failure?: string }) => void)[] = []
  child.on('message', ({ id, ...answer }: { id: number; result?: Result; failure?: string }) => waiting[id]!(answer))
  child.on('exit', () => waiting.forEach((tell) => tell({ failure: `n8n-core ${version} ended:\n${errors}` })))

  return {
    description: first.description,
    pid: child.pid!,
    run: (job) =>
      new Promise((resolve, reject) => {
        child.send({ id: waiting.length, job })
        waiting.push(({ result, failure }) => (result ? resolve(result) : reject(new Error(failure))))
      }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
