import type { Step } from './analyse/summary.ts'
import { limitsOf } from './chart/limits.ts'
import { driveLoad, type Measure } from './drive-load.ts'
import { peakOf } from './load/course.ts'
import type { LoadStep } from './load/step.ts'
import type { Sample } from './observe/sample.ts'
import { openBooks } from './observe/books/books.ts'
import { openCounter } from './observe/counter.ts'
import { openQueue } from './observe/queue.ts'
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
  recorder.add({ type: 'cell', at: Date.now(), cell: cell.number, variant: cell.variant, workflow: cell.workflow.name, matrix: cell.matrix, values: cell.values, limits: limitsOf(cell.plan), cost: cell.cost })
  const exits: TargetEvent[] = []
  const samples: Sample[] = []
  progress.doing(`${label}: starting`)
  const running = await target.up(cell.plan, {
    workflows: [cell.workflow],
    balancer: cell.balancer,
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
  const counter = openCounter(sampler, running.settings && openBooks(running.settings), running.settings && openQueue(running.settings))
  const watched: Watched = { running, target, counter, samples, exits, slo: experiment.slo, signal }
  const measure: Measure = async (shape, duration, rest) => {
    progress.doing(`${label}: ${rest.purpose === 'warm-up' ? 'warming up' : describeShape(shape)}`)
    const { method, path } = cell.workflow.webhook
    const load: LoadStep = { url: running.url + path, method, timeout: experiment.load.timeout, duration, shape }
    const { disagreements, ...step } = await measureStep({ load, repeat, ...rest }, watched)
    for (const text of disagreements) recorder.add({ type: 'warning', at: Date.now(), text: `${label}, ${describeShape(shape)}: ${text}` })
    recorder.add({ type: 'step', cell: cell.number, at: Date.now(), ...step })
    if (rest.purpose === 'measure') progress.say(`  ${label}: ${outcome(step)}`)
    return step
  }
  try {
    await driveLoad(experiment.load, measure)
  } finally {
    sampler.stop()
    await counter.close()
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
