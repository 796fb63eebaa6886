import { availableParallelism } from 'node:os'
import type { Plan } from '../../chart/plan.ts'
import type { Generator } from '../../load/generator.ts'
import type { Means } from '../../load/process.ts'
import { makeScratch, sweepScratch } from '../local/scratch.ts'
import { begunBy, type RunningProcess, type Target, type Webhook } from '../target.ts'
import { metricsAt, refuseOtherThanMetrics, seeItCounted, type Metrics } from './metrics.ts'
import { webhookAnswers } from './webhook.ts'

export interface Attachment {
  url: URL
  metrics: URL[]
  token: string | undefined
  /** The profile has Helm values, which do not describe this n8n. */
  otherValues: boolean
}

/** The values of this n8n are unknown, because the lab did not make it from Helm values. */
export const planOfOthers = async (): Promise<Plan> => ({ values: {}, tier: null, workloads: [], services: [] })

/** Before anything is written: checks that every part answers as it should; otherwise the error says which does not. */
export async function tryAttachment({ url, metrics, token }: Attachment, webhooks: Webhook[]): Promise<void> {
  for (const one of metrics) await refuseOtherThanMetrics(one, token)
  await seeItCounted(
    metrics.map((one) => metricsAt(one, token)),
    () => allAnswer(url, webhooks),
  )
}

async function allAnswer(url: URL, webhooks: Webhook[]): Promise<void> {
  for (const webhook of webhooks) await webhookAnswers(url, webhook)
}

export async function attachedTarget(
  { url, metrics, token, otherValues }: Attachment,
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
        )
        return begunBy(workflows)
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

function processOf({ read }: Metrics, index: number): RunningProcess {
  const usage = async () => ({ cpuSeconds: null, rss: null, pids: 0 })
  return {
    name: `n8n-${index}`,
    limits: { cpu: null, memory: null },
    ranBefore: true,
    serves: true,
    restarts: () => 0,
    usage,
    metrics: read,
  }
}

/** A tunnel or a port-forward to another machine looks the same. */
const loopback = /^(localhost|127\.[\d.]+|\[::1\])$/

function warningsFor({ href, hostname }: URL, counted: boolean, otherValues: boolean): string[] {
  return [
    `Measured on an n8n that ran already (${href}): its settings, limits and machine are unknown.`,
    counted
      ? 'n8n’s metrics count all of its workflows. In a step in which more executions began than the load '
        + 'asked for, how many of its own finished is unknown.'
      : 'Without --metrics-url the lab does not know how many of the accepted executions finished, failed or '
        + 'were lost, and a rate that holds may still build up a backlog.',
    ...(otherValues ? ['The profile’s Helm values do not describe this n8n.'] : []),
    ...(loopback.test(hostname)
      ? ['If this n8n runs on this machine, the generator shares its cores: capacity is understated.']
      : []),
  ]
}
