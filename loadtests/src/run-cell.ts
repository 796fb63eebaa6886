import type { Step } from './analyse/summary.ts'
import { driveLoad, type Measure } from './drive-load.ts'
import { peakOf } from './load/course.ts'
import type { LoadStep } from './load/step.ts'
import type { Sample } from './observe/sample.ts'
import { startSampler } from './observe/sampler.ts'
import type { Cell, RunOrder } from './run.ts'
import { measureStep, type Watched } from './run-step.ts'
import type { Target, TargetEvent } from './target/target.ts'

interface CellOrder extends RunOrder {
  logs: string
}

/** Brings one cell up, drives its load and takes it down. */
export async function measureCell(cell: Cell, repeat: number, target: Target, order: CellOrder): Promise<void> {
  const { experiment, recorder, progress, signal } = order
  const label = `${cell.workflow.name} on ${cell.variant}${describeMatrix(cell)}`
  const main = cell.plan.workloads.find(({ component }) => component === 'main')!.containers[0]!
  recorder.add({ type: 'cell', at: Date.now(), cell: cell.number, variant: cell.variant, workflow: cell.workflow.name, matrix: cell.matrix, values: cell.values, limits: main.limits, cost: cell.cost })
  const exits: TargetEvent[] = []
  const samples: Sample[] = []
  progress.doing(`${label}: starting n8n`)
  const running = await target.up(cell.plan, {
    workflows: [cell.workflow],
    logs: order.logs,
    signal,
    onProgress: progress.doing,
    onEvent(event) {
      recorder.add({ type: 'event', cell: cell.number, ...event })
      if (event.exit && event.exit.reason !== 'stopped') exits.push(event)
    },
  })
  const sampler = startSampler(running.processes, (sample) => {
    samples.push(sample)
    recorder.add({ type: 'sample', cell: cell.number, ...sample })
  })
  const watched: Watched = { running, target, sampler, samples, exits, slo: experiment.slo, signal }
  const measure: Measure = async (shape, duration, rest) => {
    progress.doing(`${label}: ${rest.purpose === 'warm-up' ? 'warming up' : describeShape(shape)}`)
    const { method, path } = cell.workflow.webhook
    const load: LoadStep = { url: running.url + path, method, timeout: experiment.load.timeout, duration, shape }
    const step = await measureStep({ load, repeat, ...rest }, watched)
    recorder.add({ type: 'step', cell: cell.number, at: Date.now(), ...step })
    if (rest.purpose === 'measure') progress.say(`  ${label}: ${outcome(step)}`)
    return step
  }
  try {
    await driveLoad(experiment.load, measure)
  } finally {
    sampler.stop()
    await running.down()
  }
}

function describeMatrix({ matrix }: Cell): string {
  const parts = Object.entries(matrix).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
  return parts.length ? ` (${parts.join(', ')})` : ''
}

function describeShape(shape: LoadStep['shape']): string {
  if (shape.kind === 'closed') return `${shape.vus} clients`
  return shape.kind === 'constant' ? `${shape.rate}/s` : `up to ${peakOf(shape)}/s`
}

function outcome({ load, holds, reasons }: Step): string {
  const p95 = load.latency ? `p95 ${Math.round(load.latency.p95)} ms` : 'no answers'
  const asked = load.rate === null ? `${load.vus} clients, ${load.throughput.toFixed(1)}/s` : `${load.rate}/s`
  return `${asked} ${holds ? 'holds' : 'does not hold'}, ${p95}${holds ? '' : `: ${reasons[0]!.text}`}`
}
