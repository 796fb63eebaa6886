import { z } from 'zod'
import { fleetOfKind, kinds } from '../judge/fleet/kinds.ts'
import { regularIsEnough, regularSize, smallest } from '../judge/fleet/plan.ts'
import { figure, latency, percent, perSecond } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'
import { Size } from '../model/fleet.ts'

export const EstimateByKind = z
  .strictObject({
    rate: z.number().describe('Requests a second that were asked for.'),
    p95: z.number().describe('Milliseconds that were asked for, beside waits for others.'),
    speed: z.number().describe('How many times as fast a core is as the one that we measured on.'),
    shared: z
      .number()
      .nullable()
      .describe('The share of its core that it got while it timed that; null where it timed none, or had it all.'),
    kinds: z.array(
      z.strictObject({
        workflow: z.string().describe('The kind of workflow.'),
        assumed: z.boolean().describe('We have not measured such a workflow.'),
        takes: z.number().describe('Milliseconds of CPU that an execution is taken to need at its worker.'),
        mode: z.enum(['regular', 'queue']).nullable().describe('Null where no fleet meets it.'),
        likely: Size.nullable().describe('What does as likely as not.'),
        sure: Size.nullable().describe('What does 19 times in 20; null where nothing does.'),
        concurrency: z.number().nullable().describe('Executions that one worker runs at a time; null in regular mode.'),
      }),
    ),
    next: z.string().describe('The command that measures a workflow.'),
  })
  .describe('What a rate needs, by the kind of workflow, for who has measured nothing.')
export type EstimateByKind = z.infer<typeof EstimateByKind>
type Row = EstimateByKind['kinds'][number]

interface Estimating {
  rate: number
  /** Milliseconds. */
  p95: number
  speed: number
  shared?: number | null
}

const durationText = (milliseconds: number) =>
  milliseconds % 1000 ? `${Math.round(milliseconds)}ms` : `${milliseconds / 1000}s`

export function estimateByKind({ rate, p95, speed, shared = null }: Estimating): EstimateByKind {
  const next = `${typed.lab} size --workflow exported.json --rate ${rate} --slo p95=${durationText(p95)}`
  return { rate, p95, speed, shared, kinds: kinds.map((kind) => rowOf(kind, { rate, p95: p95 / 1000, speed })), next }
}

function rowOf(kind: (typeof kinds)[number], { rate, p95, speed }: { rate: number; p95: number; speed: number }): Row {
  const of = { workflow: kind.name, assumed: kind.assumed ?? false, takes: kind.worker / speed }
  const fleet = fleetOfKind(kind, speed)
  // What an execution waits for others is no fault of n8n's.
  const wanted = { rate, p95: p95 + 2 * kind.held }
  if (regularIsEnough(fleet, wanted))
    return { ...of, mode: 'regular', likely: regularSize, sure: regularSize, concurrency: null }
  const likely = smallest(fleet, wanted)
  if (!likely) return { ...of, mode: null, likely, sure: null, concurrency: null }
  return { ...of, mode: 'queue', likely, sure: smallest(fleet, wanted, { sure: 'high' }), concurrency: fleet.slots }
}

export function estimateInWords({ rate, p95, speed, shared, kinds: rows, next }: EstimateByKind): string {
  const columns = ['workflow', 'takes', 'mode', 'workers', 'concurrency', 'processors', 'CPU in all']
  const lines = rows.map(({ workflow, assumed, takes, mode, likely, sure, concurrency }) => {
    const name = [`${workflow}${assumed ? ' *' : ''}`, latency(Number(takes.toPrecision(2)))]
    if (mode === 'regular') return [...name, mode, '–', '–', '–', '1']
    const size = sure ?? likely
    if (!size) return [...name, 'none', '', '', '', '']
    const cpu = size.worker + size.webhook + size.main * 0.5
    const workers = sure ? `${sure.worker}` : `${size.worker}, not sure`
    return [...name, 'queue', workers, `${concurrency}`, `${size.webhook}`, figure(cpu)]
  })
  const widths = columns.map((column, nth) => Math.max(column.length, ...lines.map((line) => line[nth]!.length)))
  const table = [columns, ...lines].map((line) =>
    `  ${line.map((cell, nth) => cell.padEnd(widths[nth]!)).join('  ')}`.trimEnd(),
  )
  return [
    `An estimate of what ${perSecond(rate)} needs. The p95 is within ${latency(p95)}, beside waits for others.`,
    `Workers and processors of 1 CPU and 1 GiB; a core ${figure(speed)} times as fast as the one that we measured on.`,
    '',
    ...table,
    '  For an execution that takes so much CPU. Nothing is known of yours, which may take ten times as much.',
    '  * assumed: we have not measured such a workflow.',
    ...(shared === null ? [] : ['', busyCore(shared)]),
    '',
    'Your workflow decides. Measure it, in five minutes:',
    `  ${next}`,
    '',
  ].join('\n')
}

const busyCore = (shared: number) =>
  `The core was busy while it was timed: this command got ${percent(shared)} of it. On a quiet one less may do: close `
  + 'other programs and ask again, or give --cpu-speed.'
