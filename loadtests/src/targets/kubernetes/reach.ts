import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Service } from '../../chart/plan.ts'
import { nameValue } from '../../lib/name-value.ts'
import { addressVariables, isPostgresql, isQueueMode } from '../../n8n/settings.ts'
import { execIn, kubectl, spawnWithLab } from './kubectl.ts'
import { killGroup } from '../../lib/processes.ts'

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

/** A port on this machine's loopback that leads to a Service in the cluster. */
interface Forward {
  port: number
  close(): void
}

const patience = 10_000
const pause = 500

/** Null if the cluster does not allow it. */
const forward = (context: string, namespace: string, service: string, port: string): Promise<Forward | null> =>
  keepOpen((local) =>
    kubectl(
      context,
      ...['--namespace', namespace, 'port-forward', '--address', '127.0.0.1'],
      ...[`service/${service}`, `${local ?? ''}:${port}`],
    ),
  )

/** kubectl ends with the pod that it leads to. It is then started again at the same port, and finds the next pod. */
export async function keepOpen(argv: (local?: number) => string[]): Promise<Forward | null> {
  let closed = false
  let running = open(argv())
  const close = () => {
    closed = true
    running.end()
  }
  const port = await Promise.race([running.port, setTimeout(patience, null, { ref: false })])
  if (port === null) {
    close()
    return null
  }
  void (async () => {
    for (;;) {
      await running.ended
      running.end()
      await setTimeout(pause, undefined, { ref: false })
      if (closed) return
      running = open(argv(port))
    }
  })()
  return { port, close }
}

function open(argv: string[]) {
  const child = spawnWithLab(argv)
  const lines = createInterface({ input: child.stdout })
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    lines.on('close', resolve)
  })
  const opened = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const local = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (local) resolve(Number(local))
    })
  })
  return { port: Promise.race([opened, ended.then(() => null)]), ended, end: () => killGroup(child.pid) }
}
