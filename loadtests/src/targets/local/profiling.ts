import { until } from '../../lib/await.ts'
import { freePorts } from '../../lib/ports.ts'
import { signal } from '../../lib/processes.ts'
import type { Network } from './network.ts'
import type { CpuProfile, ProcessProfile, Usage } from '../../n8n/running.ts'

/** Lets n8n be looked into: a process opens its inspector only when asked, and until then runs as without it. */
export interface Profilable {
  /** The environment that tells n8n where to open its inspector when asked. */
  env(given: Record<string, string>): Record<string, string>
  /** Begins to profile it; returns a function that ends that and returns the profile. */
  begin(container: {
    leader(): number | undefined
    usage(): Promise<Pick<Usage, 'cpuSeconds'>>
  }): Promise<() => Promise<ProcessProfile>>
  /** Bytes in its heap after a full garbage collection: what it keeps. */
  keptHeap(leader: () => number | undefined): Promise<number>
}

/** Microseconds between two looks at the main thread. */
const looks = { interval: 1000 }

/** For a container in this network. */
export async function profilable(network: Pick<Network, 'address' | 'open'>): Promise<Profilable> {
  const [port] = (await freePorts(1)) as [number]
  await network.open([port])
  const inspector = `${network.address}:${port}`
  return {
    env: (given) => ({ ...given, NODE_OPTIONS: `${given.NODE_OPTIONS ?? ''} --inspect-port=127.0.0.1:${port}`.trim() }),

    async begin({ leader, usage }) {
      const { ask, close } = await openInspector(leader()!, inspector)
      const look = async () => ({ at: performance.now(), counted: (await usage()).cpuSeconds ?? 0 })
      await ask('Profiler.enable')
      await ask('Profiler.setSamplingInterval', looks)
      await ask('Profiler.start')
      const before = await look()
      return async () => {
        const after = await look()
        const { profile } = await ask<{ profile: CpuProfile }>('Profiler.stop')
        close()
        return { elapsed: (after.at - before.at) / 1000, counted: after.counted - before.counted, cpu: profile }
      }
    },

    async keptHeap(leader) {
      const { ask, close } = await openInspector(leader()!, inspector)
      try {
        await ask('HeapProfiler.collectGarbage')
        const { usedSize } = await ask<{ usedSize: number }>('Runtime.getHeapUsage')
        return usedSize
      } finally {
        close()
      }
    },
  }
}

/** Node's own debugger. A process opens it only when asked, and until then runs as without it. */
export interface Inspector {
  ask<Answer>(method: string, params?: Record<string, unknown>): Promise<Answer>
  close(): void
}

/** A busy process needs one turn of its event loop to open it. */
const patience = 10_000

/** The address that `--inspect-port` reported; from now on it listens there, on loopback, until the process ends. */
export async function openInspector(pid: number, address: string): Promise<Inspector> {
  signal(pid, 'SIGUSR1')
  const url = await until(() => socketUrl(address), { timeout: patience, every: 50 })
  if (!url) throw new Error(`process ${pid} did not open its inspector within ${patience / 1000} s`)
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`the inspector of process ${pid} refused`))
  })
  return speak(socket)
}

async function socketUrl(address: string): Promise<string | null> {
  const answer = await fetch(`http://${address}/json/list`).catch(() => null)
  const [target] = answer?.ok ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
  return target?.webSocketDebuggerUrl ?? null
}

interface Message {
  id?: number
  result?: unknown
  error?: { message: string }
}

function speak(socket: WebSocket): Inspector {
  const waiting = new Map<number, { resolve(answer: never): void; reject(error: Error): void }>()
  let asked = 0
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Message
    const asker = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (error) asker?.reject(new Error(error.message))
    else asker?.resolve(result as never)
  }
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('the process ended while it was profiled'))
  }
  return {
    ask: (method, params = {}) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) return reject(new Error('the process ended while it was profiled'))
        waiting.set(++asked, { resolve, reject })
        socket.send(JSON.stringify({ id: asked, method, params }))
      }),
    close: () => socket.close(),
  }
}
