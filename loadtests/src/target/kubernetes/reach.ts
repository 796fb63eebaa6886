import { execa } from 'execa'
import { nameValue } from '../../support/name-value.ts'
import type { Api } from './api.ts'
import { forward, type Forward } from './forward.ts'

/** n8n's settings with its database and its queue where the lab can ask them. */
export interface Reached {
  /**
   * Null where one of them is out of reach: SQLite is in the pod, and what is outside the namespace is not ours to ask.
   */
  settings: Record<string, string> | null
  close(): void
}

export async function reach(api: Api, context: string, namespace: string, pod: string): Promise<Reached> {
  const settings = await environmentOf(context, namespace, pod)
  const forwards: Forward[] = []
  const close = () => forwards.forEach((each) => each.close())

  async function lead(host: string, port: string, standard: string): Promise<boolean> {
    const service = settings[host]
    if (!service || !(await api.find(`/api/v1/namespaces/${namespace}/services/${service}`))) return false
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
  return { settings: queue ? settings : null, close }
}

/** As the process has it, what comes from Secrets included: it stays within the lab. */
async function environmentOf(context: string, namespace: string, pod: string): Promise<Record<string, string>> {
  const asked = await execa(
    'kubectl',
    ['--context', context, '--namespace', namespace, 'exec', pod, '--container', 'n8n', '--', 'env'],
    { reject: false, timeout: 10_000 },
  )
  const pairs = asked.stdout.split('\n').map(nameValue)
  return asked.failed ? {} : Object.fromEntries(pairs.map(([name, value = '']) => [name, value]))
}
