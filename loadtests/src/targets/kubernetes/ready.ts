import { setTimeout } from 'node:timers/promises'
import type { Plan } from '../../chart/plan.ts'
import { invalid } from '../../lib/errors.ts'
import { until } from '../../lib/await.ts'
import { isAnswer, isOfExecution, isUnregistered } from '../answers.ts'
import type { Webhook } from '../target.ts'
import { neverReady } from '../refusals.ts'
import type { Api } from './api.ts'
import type { NamedObject, PodObject } from './objects.ts'
import { containersOf, isReady, restartsOf, stuckBecause, type Restarts } from './pods.ts'
import type { Watch } from './watch.ts'

/** The cluster may have to pull images first, and n8n takes minutes to import and start on a quarter of a core. */
const patience = 600_000

/** Waits until every replica is ready, as Kubernetes sees it. */
export async function podsReady(
  api: Api,
  namespace: string,
  { workloads }: Plan,
  watch: Watch,
  signal: AbortSignal,
): Promise<void> {
  const names = workloads.flatMap(({ component, replicas }) =>
    Array.from({ length: replicas }, (_, index) => `${component}-${index}`),
  )
  const waitingFor = () =>
    names.find((name) => {
      const pod = watch.pods().get(name)
      return !pod || !isReady(pod)
    })
  // A fault may have ended containers before.
  let before: Restarts | undefined
  const answer = await until(
    async () => {
      await watch.look()
      before ??= restartsOf(watch.pods().values())
      for (const [name, pod] of watch.pods()) {
        const stuck = stuckBecause(pod, { before })
        if (stuck) {
          const message = `Expected ${name} to become ready, but ${stuck.reason}.`
          throw invalid(stuck.code, message, stuck.hint, await logOf(api, namespace, pod))
        }
      }
      return waitingFor() === undefined
    },
    { timeout: patience, every: 250, signal },
  )
  signal.throwIfAborted()
  if (answer) return
  const late = waitingFor()!
  const pod = watch.pods().get(late)
  if (!pod)
    throw neverReady(
      late,
      'no pod was made for it',
      'A quota or a policy of the cluster may forbid it.',
      await complaints(api, namespace),
    )
  throw neverReady(
    late,
    `it was not ready within ${patience / 1000} s`,
    'The last lines of its log say why.',
    await logOf(api, namespace, pod),
  )
}

/** Milliseconds. A request that n8n executes is rare, since a workflow that fails calls real services too. */
const again = { unregistered: 500, executed: 10_000 }
/** Executions that may fail until the webhook counts as never ready. */
export const triesToAnswer = 7

/**
 * Waits until callers get answers: n8n reports itself ready a while before its webhooks answer. Returns how many
 * executions that began. With `onFailed`, an execution that failed is told there, and not tried again.
 */
export async function webhookReadyInCluster(
  api: Pick<Api, 'ask'>,
  namespace: string,
  service: { name: string; port: number },
  webhook: Webhook,
  signal: AbortSignal,
  { now, wait, onFailed }: Clock & { onFailed?(answer: Answer): void } = ownClock,
): Promise<number> {
  const { method, path, headers, body } = webhook
  const url = `/api/v1/namespaces/${namespace}/services/${service.name}:${service.port}/proxy${path}`
  const end = now() + patience
  let failed = 0
  let last: Answer | null = null
  while (failed < triesToAnswer && now() < end) {
    last = await api.ask(url, { method, headers, content: body, timeout: 30_000 })
    signal.throwIfAborted()
    if (last && isAnswer(webhook, last.status)) return webhook.idle ? 0 : failed + 1
    if (last && onFailed && isOfExecution(last)) {
      onFailed(last)
      return failed + 1
    }
    const executed = last !== null && !isUnregistered(last) && !isOfProxy(last)
    if (executed) failed++
    if (failed < triesToAnswer) await wait(executed ? again.executed : again.unregistered, signal)
  }
  const where = `${method} ${path.split('?')[0]}`
  throw neverReady(
    service.name,
    failed > 0 ? `${where} failed ${failed} times` : `${where} did not answer within ${patience / 1000} s`,
    failed > 0
      ? 'n8n’s log in the run’s folder says what failed. Services are mocked by rules (--outside), unless with '
          + '--allow-outside.'
      : 'The logs in the run’s folder say why.',
    last ? [`${last.status} ${last.text.slice(0, 300)}`] : [],
  )
}

interface Clock {
  now(): number
  wait(milliseconds: number, signal: AbortSignal): Promise<unknown>
}

export const ownClock: Clock = {
  now: Date.now,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
}

interface Answer {
  status: number
  text: string
}

/** Kubernetes' own answer where it reaches no pod: n8n never saw the request. */
const isOfProxy = ({ text }: Answer) => /"kind":\s*"Status"/.test(text)

async function logOf(api: Api, namespace: string, pod: PodObject): Promise<string[]> {
  const container = containersOf(pod).find(({ ready }) => !ready)?.name ?? pod.spec.containers[0]!.name
  for (const previous of [false, true]) {
    const log = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log`
    const said = await api.ask(`${log}?container=${container}&tailLines=15&previous=${previous}`, { timeout: 5000 })
    if (said?.status === 200 && said.text.trim()) return said.text.split('\n').filter(Boolean)
  }
  return []
}

/** Kubernetes' own reasons for making no pod. */
async function complaints(api: Api, namespace: string): Promise<string[]> {
  const events = await api.list<NamedObject & { type: string; message: string }>(
    `/api/v1/namespaces/${namespace}/events`,
  )
  return [...new Set(events.filter(({ type }) => type === 'Warning').map(({ message }) => message))].slice(-5)
}
