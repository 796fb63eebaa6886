import { execa } from 'execa'
import type { Probe } from '../../chart/plan.ts'
import { readReply, mostOfList } from '../../lib/reply.ts'
import { status, until } from '../../lib/await.ts'
import type { Webhook } from '../target.ts'
import { neverReady } from '../refusals.ts'
import { isAnswer, isOfExecution, isUnregistered } from '../answers.ts'
import type { RunningContainer } from './container.ts'
import { urlOf, type Command, type LocalPod } from './pod.ts'
import type { Exit } from '../../model/event.ts'

/** A pod whose containers run. */
export interface Started {
  pod: LocalPod
  /** By name; the first one decides for the pod. */
  containers: Map<string, RunningContainer>
  /** A command as it would be run in the pod's first container. */
  inside(command: string[]): Command
}

/** As long as the chart's startup probe. */
const patience = 300_000
/** After this many ends without becoming ready, it will never become ready. */
const attempts = 2

/** Waits until it is ready, as Kubernetes sees it. */
export async function podReady({ pod, containers, inside }: Started, signal: AbortSignal): Promise<void> {
  const probe = pod.workload.containers[0]!.readiness
  if (probe)
    await patiently(
      pod.name,
      containers,
      () => answers(probe, pod, inside),
      () => `${nameOf(probe)} did not say so within ${patience / 1000} s`,
      signal,
    )
}

/** Whether it reports itself ready now. */
export const saysReady = async ({ pod, inside }: Started): Promise<boolean> => {
  const probe = pod.workload.containers[0]!.readiness
  return probe ? answers(probe, pod, inside) : true
}

/** An n8n that has just started may fail for so long: its database or its runners are not there yet. */
const failedFor = 5000
/** One that answered before may have lost them. */
export const failedForLater = 30_000

/** n8n registers many webhooks one after the other; one that is still missing then has no trigger that n8n accepts. */
const registersWithin = 60_000

/** What became of the request that showed that a webhook is there. */
interface Answer {
  status: number
  text: string
}

/**
 * Waits until n8n has registered the webhook: it reports itself ready a while before. An answer that is not success is
 * returned, since waiting does not mend it.
 */
export async function webhookReadyHere(
  webhook: Webhook,
  url: string,
  { pod, containers }: Started,
  signal: AbortSignal,
  giveUp = failedFor,
): Promise<Answer | null> {
  const { method, path, headers, body } = webhook
  let got: Answer | null = null
  let failsSince: number | null = null
  let missingSince: number | null = null
  const ask = async () => {
    got = await answerOf(url + path, { method, headers, body })
    if (isAnswer(webhook, got?.status)) return true
    if (got === null) return false
    if (isUnregistered(got)) {
      missingSince ??= Date.now()
      return Date.now() - missingSince > registersWithin
    }
    if (got.status < 500 || isOfExecution(got)) return true
    failsSince ??= Date.now()
    return Date.now() - failsSince > giveUp
  }
  const missing = () => `${method} ${path.split('?')[0]} did not answer within ${patience / 1000} s`
  await patiently(pod.name, containers, ask, missing, signal)
  return isAnswer(webhook, got!.status) ? null : got
}

async function answerOf(url: string, request: RequestInit): Promise<Answer | null> {
  try {
    const reply = await readReply(url, { ...request, redirect: 'manual', within: 60_000, most: mostOfList })
    return { status: reply.status, text: reply.text }
  } catch {
    return null
  }
}

async function patiently(
  name: string,
  containers: Started['containers'],
  ask: () => Promise<boolean | 'failed'>,
  missing: () => string,
  signal: AbortSignal,
): Promise<void> {
  const before = new Map([...containers].map(([container, { restarts }]) => [container, restarts()]))
  const failed = () =>
    [...containers].find(([container, { restarts }]) => restarts() - before.get(container)! >= attempts)
  const answer = await until(async () => (failed() ? 'failed' : await ask()), { timeout: patience, every: 100, signal })
  signal.throwIfAborted()
  if (answer === true) return
  const [culprit, container] = failed() ?? [name, containers.get(name)]
  const restarted = container !== undefined && container.restarts() > (before.get(culprit) ?? 0)
  const exit = restarted ? container.lastExit() : null
  const log = exit?.log ?? container?.lastLines() ?? []
  throw neverReady(culprit, exit ? describe(exit) : missing(), adviceFor(exit), log)
}

async function answers(probe: Probe, pod: LocalPod, inside: Started['inside']): Promise<boolean> {
  if (!('command' in probe)) return (await status(urlOf(pod, probe.port) + probe.path)) === 200
  const { argv, env, cwd } = inside(probe.command)
  const [command, ...args] = argv
  return !(await execa(command!, args, { env, cwd, extendEnv: false, reject: false, timeout: 5000 })).failed
}

const nameOf = (probe: Probe) => ('command' in probe ? probe.command[0]! : probe.path)

function describe({ reason, code, signal }: Exit): string {
  if (reason === 'oom-killed') return 'it was killed for memory while starting'
  if (reason === 'heap-exhausted') return 'it ran out of heap while starting'
  return `it ended ${signal ? `by ${signal}` : `with exit code ${code}`} while starting`
}

function adviceFor(exit: Exit | null | undefined): string {
  if (exit?.reason === 'oom-killed') return 'Raise main.resources.limits.memory: n8n 2 needs about 350 MiB to start.'
  if (exit?.reason === 'heap-exhausted') return 'Raise main.heap.megabytes or main.resources.limits.memory.'
  if (exit?.log.some((line) => /EADDRINUSE|already in use/.test(line)))
    return 'Another process has that port: end it, or set another one.'
  return 'The last lines of its log say why.'
}
