import type { Service } from '../../chart/plan.ts'
import { nameValue } from '../../lib/name-value.ts'
import { addressVariables, isPostgresql, isQueueMode } from '../../n8n/settings.ts'
import { forward, type Forward } from './forward.ts'
import { execIn } from './kubectl.ts'

/** n8n's settings, with the addresses at which the lab can reach its database and its queue. */
export interface Reached {
  /** Null if one of them is out of reach: SQLite is inside the pod, and the lab asks no store outside its namespace. */
  settings: Record<string, string> | null
  /** Where the forwards lead to. */
  stores: string[]
  close(): void
}

/** Only the plan's own Services are followed: a namespace that was given may hold stores of others. */
export async function reach(
  context: string,
  namespace: string,
  pod: string,
  services: Pick<Service, 'name'>[],
): Promise<Reached> {
  const settings = await environmentOf(context, namespace, pod)
  const forwards: Forward[] = []
  const close = () => forwards.forEach((each) => each.close())

  async function lead({ host, port, usual }: (typeof addressVariables)['redis' | 'postgresql']): Promise<boolean> {
    const service = settings[host]
    if (!service || !services.some(({ name }) => name === service)) return false
    const opened = await forward(context, namespace, service, settings[port] ?? usual)
    if (!opened) return false
    forwards.push(opened)
    Object.assign(settings, { [host]: '127.0.0.1', [port]: String(opened.port) })
    return true
  }

  const database = isPostgresql(settings) && (await lead(addressVariables.postgresql))
  const queue = database && (!isQueueMode(settings) || (await lead(addressVariables.redis)))
  if (!queue) close()
  return {
    settings: queue ? settings : null,
    stores: queue ? forwards.map(({ port }) => `127.0.0.1:${port}`) : [],
    close,
  }
}

/** The process's environment with the values of Secrets, which stay within the lab. */
async function environmentOf(context: string, namespace: string, pod: string): Promise<Record<string, string>> {
  const asked = await execIn(context, { namespace, pod, container: 'n8n' }, ['env'])
  const pairs = asked.stdout.split('\n').map(nameValue)
  return asked.failed ? {} : Object.fromEntries(pairs.map(([name, value = '']) => [name, value]))
}
