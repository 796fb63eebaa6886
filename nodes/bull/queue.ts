import { connect, type Client } from './connect'
import type { Settings } from './settings'

/** n8n's queue, as Bull keeps it in Redis. Everything here only reads. */
export interface Queue {
  settings: Settings
  client: Client
  /** The key of that name, such as `wait`. */
  key(name: string): string
  close(): void
}

export async function openQueue(settings: Settings): Promise<Queue> {
  const client = await connect(settings)
  return {
    settings,
    client,
    key: (name) => settings.prefix + name,
    close: () => client.disconnect(),
  }
}
