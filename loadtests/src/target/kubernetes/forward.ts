import { createInterface } from 'node:readline'
import { killGroup } from '../../support/processes.ts'
import { spawnWithLab } from './spawn-with-lab.ts'

/** Opens a port on this machine's loopback that leads to a Service in the cluster. */
export interface Forward {
  port: number
  close(): void
}

const patience = 10_000

/** Null if the cluster does not allow it. */
export async function forward(
  context: string,
  namespace: string,
  service: string,
  port: string,
): Promise<Forward | null> {
  const child = spawnWithLab('kubectl', [
    '--context',
    context,
    '--namespace',
    namespace,
    'port-forward',
    '--address',
    '127.0.0.1',
    `service/${service}`,
    `:${port}`,
  ])
  const close = () => killGroup(child.pid)
  const opened = await new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), patience)
    const answer = (said: number | null) => {
      clearTimeout(timer)
      resolve(said)
    }
    child.on('error', () => answer(null))
    createInterface({ input: child.stdout })
      .on('line', (line) => {
        const local = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
        if (local) answer(Number(local))
      })
      .on('close', () => answer(null))
  })
  if (opened === null) close()
  return opened === null ? null : { port: opened, close }
}
