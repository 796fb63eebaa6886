import type { Client } from './connect'
import { Cluster } from './ioredis'
import type { Queue } from './queue'

export interface Worker {
  address: string
  connectedSeconds: number
}

/** The workers that wait for jobs or work: Bull names one connection of each. */
export async function readWorkers({ client, settings }: Queue): Promise<Worker[]> {
  const lists = await Promise.all(servers(client).map(async (server) => String(await server.client('LIST'))))
  return lists
    .join('\n')
    .split('\n')
    .map(
      (line) =>
        new Map(
          line.split(' ').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
        ),
    )
    .filter((fields) => fields.get('name') === settings.workerName)
    .map((fields) => ({ address: fields.get('addr') ?? '', connectedSeconds: Number(fields.get('age')) }))
}

/** Each server of a cluster only knows its own connections. */
const servers = (client: Client) => (client instanceof Cluster ? client.nodes('master') : [client])
