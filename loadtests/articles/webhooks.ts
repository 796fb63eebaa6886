import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { render } from '../src/chart/render.ts'
import { count, figure, latency } from '../src/lib/figures.ts'
import { processGenerator } from '../src/load/process.ts'
import { readMetrics } from '../src/n8n/metrics.ts'
import { table } from '../src/report/print/markdown.ts'
import { localTarget } from '../src/targets/local/local.ts'
import type { RunningProcess } from '../src/n8n/running.ts'
import { findWorkflow } from '../src/workload/open.ts'
import type { Article } from './article.ts'
import { balancers } from './balancers.ts'
import { measure, type Row, type Watched } from './measure.ts'
import { memoryOf } from './rows.ts'

/** The smallest plan in queue mode with four webhook processors. */
const values = {
  image: { tag: '2.41.1' },
  executions: { mode: 'queue' },
  database: { type: 'embedded' },
  redis: { type: 'embedded' },
  monitoring: { enabled: true },
  main: { resources: { limits: { cpu: '250m', memory: '1Gi' } } },
  webhook: { replicas: 4, resources: { limits: { cpu: '200m', memory: '1Gi' } } },
  worker: { replicas: 1, resources: { limits: { cpu: '500m', memory: '1Gi' } } },
}

const load = { clients: 16, seconds: 45, timeout: 30 }

/** Four webhook processors of n8n behind each balancer; iptables needs root. */
export const webhooks: Article = {
  question: 'Which balancer serves n8n’s webhook processors best?',
  async *measure({ signal, seconds = load.seconds }) {
    for (const [configuration, openBalancer] of Object.entries(balancers)) {
      const logs = await mkdtemp(join(tmpdir(), 'n8n-tuned-article-'))
      const target = await localTarget(processGenerator, { openBalancer, sealed: false })
      try {
        yield await onTarget(target, { logs, configuration, signal, seconds })
      } finally {
        await target.close()
        await rm(logs, { recursive: true })
      }
    }
  },
  table: (rows) =>
    table(
      [
        ...['Before the processors', 'requests a second', 'p95', 'least and most of one processor'],
        ...['CPU of the balancer', 'memory of the balancer'],
      ],
      rows.map(({ configuration, rate, p95, processes }) => {
        const answered = processes.flatMap(({ requests }) => requests ?? [])
        const before = processes.find(({ name }) => name === 'balancer')
        return [
          configuration,
          figure(rate),
          latency(p95),
          `${count(Math.min(...answered))} – ${count(Math.max(...answered))}`,
          before?.cpu == null ? '–' : before.cpu.toFixed(2),
          memoryOf(before),
        ]
      }),
    ),
}

async function onTarget(
  target: Awaited<ReturnType<typeof localTarget>>,
  {
    logs,
    configuration,
    signal,
    seconds,
  }: { logs: string; configuration: string; signal: AbortSignal; seconds: number },
): Promise<Row> {
  const workflow = await findWorkflow('ping-webhook', { file: '', line: null })
  const running = await target.up(await render(values), {
    workflows: [workflow],
    logs,
    signal,
    onEvent() {},
    onProgress() {},
  })
  const { generator } = target
  const processes = running.processes.map(watched)
  return measure(
    { ...load, seconds, url: running.url + workflow.webhook.path, processes, generator, signal },
    { configuration, work: workflow.name },
  )
}

/** Each processor counts what it answered. */
const watched = ({ serves, metrics, ...process }: RunningProcess): Watched => ({
  ...process,
  ...(serves && {
    async answered() {
      const text = await metrics?.(5000)
      return text ? readMetrics(text).requests : null
    },
  }),
})
