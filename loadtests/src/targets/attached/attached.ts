import { availableParallelism } from 'node:os'
import type { Plan } from '../../chart/plan.ts'
import type { Generator } from '../../load/generator.ts'
import type { Means } from '../../load/process.ts'
import { makeScratch, sweepScratch } from '../local/scratch.ts'
import type { Target, Webhook } from '../target.ts'
import type { FoundWarning } from '../../model/warning.ts'
import { begunByAsking, isAnswer } from '../answers.ts'
import type { RunningProcess } from '../../n8n/running.ts'
import { metricsAt, refuseOtherThanMetrics, seeItCounted, type MetricsReader } from './metrics.ts'
import type { LabError } from '../../lib/errors.ts'
import { ask, unreachable, type HttpAnswer } from './ask.ts'

export interface Attachment {
  url: URL
  metrics: URL[]
  token: string | undefined
  /** Milliseconds in which a webhook has answered. */
  patience: number
  /** The profile has Helm values, which do not describe this n8n. */
  otherValues: boolean
}

/** The values of this n8n are unknown, because the lab did not make it from Helm values. */
export const planOfOthers = async (): Promise<Plan> => ({ values: {}, tier: null, workloads: [], services: [] })

/** Before anything is written: checks that every part answers as it should; otherwise the error says which does not. */
export async function tryAttachment({ url, metrics, token, patience }: Attachment, webhooks: Webhook[]): Promise<void> {
  for (const one of metrics) await refuseOtherThanMetrics(one, token)
  await seeItCounted(
    metrics.map((one) => metricsAt(one, token)),
    () => allAnswer(url, webhooks, patience),
  )
}

async function allAnswer(url: URL, webhooks: Webhook[], patience: number): Promise<void> {
  for (const webhook of webhooks) await webhookAnswers(url, webhook, patience)
}

export async function attachedTarget(
  { url, metrics, token, patience, otherValues }: Attachment,
  makeGenerator: (means: Means) => Generator,
): Promise<Target> {
  await sweepScratch()
  const scratch = await makeScratch()
  const asked = metrics.map((one) => metricsAt(one, token))
  return {
    limits: { kind: 'unknown', enforced: true },
    foreign: true,
    cores: { target: [], generator: [] },
    surroundings: { machine: null, warnings: warningsFor(url, asked.length > 0, otherValues) },
    generator: makeGenerator({
      onCores: (argv) => argv,
      cores: availableParallelism(),
      track: scratch.track,
      folder: scratch.path,
    }),
    async up(_plan, { workflows }) {
      const ready = async () => {
        await allAnswer(
          url,
          workflows.map(({ webhook }) => webhook),
          patience,
        )
        return begunByAsking(workflows)
      }
      await seeItCounted(asked, ready)
      return {
        settings: null,
        stores: [],
        url: url.href.replace(/\/$/, ''),
        processes: asked.map(processOf),
        ready,
        down: async () => {},
      }
    },
    close: () => scratch.remove(),
  }
}

function processOf({ read }: MetricsReader, index: number): RunningProcess {
  const usage = async () => ({ cpuSeconds: null, rss: null, pids: 0 })
  return {
    name: `n8n-${index}`,
    limits: { cpu: null, memory: null },
    ranBefore: true,
    serves: true,
    usage,
    metrics: read,
  }
}

/** A tunnel or a port-forward to another machine looks the same. */
const loopback = /^(localhost|127\.[\d.]+|\[::1\])$/

function warningsFor({ href, hostname }: URL, counted: boolean, otherValues: boolean): FoundWarning[] {
  return [
    { code: 'ran-already', url: href },
    { code: counted ? 'others-counted' : 'outcome-uncounted' },
    ...(otherValues ? [{ code: 'other-values' as const }] : []),
    ...(loopback.test(hostname) ? [{ code: 'perhaps-shares-cores' as const }] : []),
  ]
}

const urlBelow = (base: URL, path: string) => new URL(base.href.replace(/\/$/, '') + path)

/** Calls the webhook once: otherwise the load would only count errors. */
async function webhookAnswers(base: URL, webhook: Webhook, patience: number): Promise<void> {
  const { method, path, headers, body } = webhook
  const url = urlBelow(base, path)
  const answer = await ask(url, { method, headers, body, timeout: patience })
  // The query may contain a key, so it stays out of messages.
  if (!isAnswer(webhook, answer.status)) throw refusal(`${method} ${url.origin}${url.pathname}`, answer)
}

function refusal(request: string, { status, location, text }: HttpAnswer): LabError {
  const got = `${status}${location ? ` to ${location}` : ''}`
  if (status >= 300 && status < 400)
    return unreachable(
      request,
      got,
      'A proxy redirects it, which callers would have to follow for every request: give the address it leads '
        + 'to as --target.',
    )
  if (status === 401 || status === 403)
    return unreachable(
      request,
      got,
      'The webhook expects other credentials than the request has: give them as auth of the request, which '
        + 'docs/workload.md shows.',
    )
  if (status === 404)
    return unreachable(
      request,
      got,
      'Import the workflow there and publish it, or name one of its own with --workflow; the lab changes '
        + 'nothing on an n8n that runs already.',
    )
  return unreachable(request, `${got} ${text.slice(0, 200).trim()}`.trim(), 'n8n’s log says why.')
}
