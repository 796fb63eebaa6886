import { until } from '../../lib/await.ts'
import { signal } from '../../lib/processes.ts'

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
