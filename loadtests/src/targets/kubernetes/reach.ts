import type { Service } from '../../chart/plan.ts'
import { nameValue } from '../../lib/name-value.ts'
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

  async function lead(host: string, port: string, standard: string): Promise<boolean> {
    const service = settings[host]
    if (!service || !services.some(({ name }) => name === service)) return false
    const opened = await forward(context, namespace, service, settings[port] ?? standard)
    if (!opened) return false
    forwards.push(opened)
    Object.assign(settings, { [host]: '127.0.0.1', [port]: String(opened.port) })
    return true
  }

  const database = settings.DB_TYPE === 'postgresdb' && (await lead('DB_POSTGRESDB_HOST', 'DB_POSTGRESDB_PORT', '5432'))
  const queue =
    database
    && (settings.EXECUTIONS_MODE !== 'queue' || (await lead('QUEUE_BULL_REDIS_HOST', 'QUEUE_BULL_REDIS_PORT', '6379')))
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
