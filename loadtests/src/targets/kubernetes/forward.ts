import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { killGroup } from '../../lib/processes.ts'
import { kubectl, spawnWithLab } from './kubectl.ts'

/** A port on this machine's loopback that leads to a Service in the cluster. */
export interface Forward {
  port: number
  close(): void
}

const patience = 10_000
const pause = 500

/** Null if the cluster does not allow it. */
export const forward = (context: string, namespace: string, service: string, port: string): Promise<Forward | null> =>
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
