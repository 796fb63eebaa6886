import { errors } from '../../errors.ts'
import type { Exit, TargetEvent, Webhook } from '../target.ts'
import { status, until } from '../../await.ts'
import type { Container } from './container.ts'
import { portOf, type Pod } from './pod.ts'

interface Readiness {
  pods: Pod[]
  /** By name; the first of a pod answers for its probe. */
  containers: Map<string, Container>
  url: string
  webhooks: Webhook[]
  signal: AbortSignal
  onEvent(event: TargetEvent): void
}

const patience = 180_000
/** Ended this often without ever being ready, it will not get there. */
const attempts = 2

/** Ready as Kubernetes sees it, and then as a caller sees it: n8n is ready a while before its webhooks are. */
export async function awaitReady({ pods, containers, url, webhooks, signal, onEvent }: Readiness): Promise<void> {
  const before = new Map([...containers].map(([name, container]) => [name, container.restarts()]))
  const restarts = (name: string) => containers.get(name)!.restarts() - before.get(name)!
  const failed = () => [...containers].find(([name]) => restarts(name) >= attempts)
  const give = async (name: string, ask: () => Promise<boolean>, missing: string) => {
    const answer = await until(async () => (failed() ? 'failed' : await ask()), { timeout: patience, every: 100, signal })
    signal.throwIfAborted()
    if (answer === true) return
    const [culprit, container] = failed() ?? [name, containers.get(name)]
    const exit = restarts(culprit) > 0 ? container!.lastExit() : null
    throw errors.neverReady(culprit, exit ? describe(exit) : missing, adviceFor(exit), exit?.log ?? [])
  }
  for (const pod of pods) {
    const probe = pod.workload.containers[0]!.readiness
    if (!probe) continue
    const address = `http://127.0.0.1:${portOf(pod, probe.port)}${probe.path}`
    await give(pod.name, async () => (await status(address)) === 200, `${probe.path} did not answer 200 within ${patience / 1000} s`)
  }
  for (const { method, path } of webhooks) {
    await give(pods[0]!.name, async () => isSuccess(await status(url + path, method, 30_000)), `${method} ${path} did not answer with success within ${patience / 1000} s`)
  }
  for (const pod of pods) onEvent({ at: Date.now(), process: pod.name, kind: 'ready' })
}

const isSuccess = (code: number | undefined) => code !== undefined && code >= 200 && code < 300

function describe({ reason, code, signal }: Exit): string {
  if (reason === 'oom-killed') return 'it was killed for memory while starting'
  if (reason === 'heap-exhausted') return 'it ran out of heap while starting'
  return `it ended ${signal ? `by ${signal}` : `with exit code ${code}`} while starting`
}

function adviceFor(exit: Exit | null | undefined): string {
  if (exit?.reason === 'oom-killed') return 'Raise main.resources.limits.memory: n8n 2 needs about 350 MiB to start.'
  if (exit?.reason === 'heap-exhausted') return 'Raise main.heap.megabytes or main.resources.limits.memory.'
  if (exit?.log.some((line) => /EADDRINUSE|already in use/.test(line))) return 'Another process has that port: end it, or set another one.'
  return 'The last lines of its log say why.'
}
