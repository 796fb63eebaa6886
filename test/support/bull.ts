import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runtime, type Version } from './runtime.ts'

export interface BullJob {
  id: string
  timestamp: number
  moveToCompleted(result: string, ignoreLock: boolean, notFetch: boolean): Promise<unknown>
  moveToFailed(error: Error, ignoreLock: boolean): Promise<unknown>
  remove(): Promise<void>
}

export interface BullQueue {
  add(name: string, data: object, options?: object): Promise<BullJob>
  /** Moves a job to the active ones and locks it, as a worker does. The lock is never renewed. */
  getNextJob(): Promise<BullJob | null>
  process(name: string, concurrency: number, work: (job: BullJob) => Promise<unknown>): Promise<void>
  isReady(): Promise<unknown>
  pause(): Promise<void>
  resume(): Promise<void>
  close(force?: boolean): Promise<void>
}

/** The queue as that n8n makes it: with its own Bull, and its name. */
export function openBull(version: Version, options: object, name = 'jobs'): BullQueue {
  const n8n = createRequire(join(runtime(version).folder, 'node_modules/n8n/package.json'))
  const Bull = n8n('bull') as new (name: string, options: object) => BullQueue
  return new Bull(name, options)
}

interface Client {
  disconnect(): void
}

/** Cluster clients of that n8n's own ioredis, as n8n hands them to Bull, which closes none that it has not made. */
export function clusterClients(version: Version, nodes: string): { createClient(): Client; close(): void } {
  const n8n = createRequire(join(runtime(version).folder, 'node_modules/n8n/package.json'))
  const { Cluster } = n8n('ioredis') as { Cluster: new (nodes: object[], options: object) => Client }
  const list = nodes.split(',').map((node) => ({ host: node.split(':')[0], port: Number(node.split(':')[1]) }))
  const clients: Client[] = []
  return {
    createClient() {
      const client = new Cluster(list, { redisOptions: { enableReadyCheck: false, maxRetriesPerRequest: null } })
      clients.push(client)
      return client
    },
    close: () => clients.forEach((client) => client.disconnect()),
  }
}
