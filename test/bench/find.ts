import { summarise } from '../../loadtests/src/judge/summarise.ts'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { measureCell } from '../../loadtests/src/run/cell.ts'
import type { Cell } from '../../loadtests/src/run/cells.ts'
import { watchOwnUse } from '../../loadtests/src/run/own-use.ts'
import { environment, experiment } from '../loadtests/fixtures/records.ts'
import { search, slo } from '../support/synthetic/points.ts'
import type { Served } from '../support/synthetic/machine.ts'
import { syntheticTarget, type Noise } from '../support/synthetic/target.ts'
import type { RunRecord } from '../../loadtests/src/model/record.ts'

/** The lab's own search, with the real k6, on a server of known capacity. */

/** Stopped from outside, a search leaves neither k6 nor a server behind. */
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

export interface Order {
  of: Served
  /** Seconds of a step. */
  step?: number
  precision?: number
  /** Seconds of load. */
  budget?: number
  repeats?: number
  noise?: Noise
  say?: (line: string) => void
}

export interface Found {
  summary: Summary
  seconds: number
}

export async function find({
  of,
  step = search.step,
  precision = search.precision,
  budget,
  repeats = 1,
  noise,
  say,
}: Order): Promise<Found> {
  const asked = experiment({
    load: { ...search, step, precision, arrivals: 'random', ...(budget && { budget }) },
    slo,
    variants: [{ name: of.kind, values: {} }],
    repeat: repeats,
  })
  const records: RunRecord[] = [
    { type: 'run', schema: 1, at: Date.now(), id: 'bench', command: '', experiment: asked, environment: environment() },
  ]
  const target = syntheticTarget(of, noise)
  const cell = cellOf(of.kind)
  const begun = Date.now()
  for (let repeat = 1; repeat <= repeats; repeat++)
    await measureCell(
      {
        experiment: asked,
        cells: [cell],
        options: { id: 'bench', command: '', schedule: () => null },
        target,
        record: { dir: '', records, add: (record) => void records.push(record), close: async () => {} },
        progress: { say: say ?? console.log, doing: () => {}, left: () => {} },
        fail: (error) => stop.abort(error),
        signal: stop.signal,
        ownUse: watchOwnUse(),
      },
      cell,
      { repeat, load: asked.load },
    )
  const seconds = Math.round((Date.now() - begun) / 1000)
  records.push({ type: 'end', at: Date.now(), outcome: 'complete' })
  return { seconds, summary: summarise(records) }
}

function cellOf(variant: string): Cell {
  const request = { method: 'GET', path: '/webhook/ping', headers: {}, body: null }
  const workflow = {
    name: 'ping-webhook',
    id: '1',
    imports: [],
    webhook: { ...request, expected: null },
    requests: [{ ...request, weight: 1, expect: { status: null, json: null, text: null }, table: null }],
    tables: [],
    dataTables: [],
    needsNodes: false,
    warnings: [],
  }
  const main = {
    name: 'main-0',
    component: 'main',
    replicas: 1,
    containers: [{ name: 'n8n', env: {}, limits: { cpu: null, memory: null } }],
  }
  return {
    number: 0,
    variant,
    traffic: { name: workflow.name, parts: [{ workflow, weight: 1 }] },
    matrix: {},
    values: {},
    plan: { workloads: [main] } as never,
    setAside: [],
    cost: null,
  }
}
