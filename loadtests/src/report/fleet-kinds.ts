import { fleetOfKind, kinds } from '../judge/fleet/kinds.ts'
import { regularIsEnough, smallest } from '../judge/fleet/plan.ts'
import { figure, latency, perSecond } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'

/** A table for who has measured nothing: what a rate needs, by the kind of workflow. */
export function kindsInWords({ rate, p95, speed }: { rate: number; p95: number; speed: number }): string {
  const columns = ['workflow', 'mode', 'workers', 'for sure', 'concurrency', 'processors', 'CPU in all']
  const lines = kinds.map((kind) => {
    const name = `${kind.name}${kind.assumed ? ' *' : ''}`
    const fleet = fleetOfKind(kind, speed)
    // What an execution waits for others is no fault of n8n's.
    const wanted = { rate, p95: p95 + 2 * kind.held }
    if (regularIsEnough(fleet, wanted)) return [name, 'regular', '–', '–', '–', '–', '1']
    const size = smallest(fleet, wanted)
    if (!size) return [name, 'none', '', '', '', '', '']
    const sure = smallest(fleet, wanted, { sure: 'high' })?.worker ?? 'no end'
    const cpu = size.worker + size.webhook + size.main * 0.5
    return [name, 'queue', `${size.worker}`, `${sure}`, `${fleet.slots}`, `${size.webhook}`, figure(cpu)]
  })
  const widths = columns.map((column, nth) => Math.max(column.length, ...lines.map((line) => line[nth]!.length)))
  const table = [columns, ...lines].map((line) =>
    `  ${line.map((cell, nth) => cell.padEnd(widths[nth]!)).join('  ')}`.trimEnd(),
  )
  return [
    `An estimate of what ${perSecond(rate)} needs. The p95 is within ${latency(p95 * 1000)}, beside waits for others.`,
    `Workers and processors of 1 CPU and 1 GiB; a core ${figure(speed)} times as fast as the one that we measured on.`,
    '',
    ...table,
    '  * assumed: we have not measured such a workflow.',
    '',
    'Your workflow decides. Measure it, in five minutes:',
    `  ${typed.lab} size --workflow exported.json --rate ${figure(rate)} --slo p95=${Math.round(p95 * 1000)}ms`,
    '',
  ].join('\n')
}
