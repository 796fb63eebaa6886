import { usualSize } from '../judge/fleet/plan.ts'
import { demandOf } from '../judge/fleet/model.ts'
import { latency } from '../lib/figures.ts'
import { typed } from '../lib/paths.ts'
import { shellWord } from '../lib/shell.ts'
import type { FleetOf } from '../model/summary.ts'
import type { Block, Section } from './document.ts'
import type { Page } from './page.ts'

/** Sliders over a fleet of each n8n in queue mode: what it would do at another rate, with more of each. */
export function fleets({ summary, folder }: Page): Section | null {
  const { fleets: all = [], experiment } = summary
  if (all.length === 0) return null
  const { slo } = experiment
  const sliders = (fleet: FleetOf): Block[] => {
    const size = usualSize(fleet)
    const most = (part: 'worker' | 'webhook') => demandOf(fleet, part)!.processes.most
    const name = `${fleet.workflow}, ${fleet.variant}`
    return [
      { kind: 'heading', text: name },
      {
        kind: 'fleet',
        label: `A fleet under ${name}`,
        fleet,
        size: { ...size, worker: most('worker'), webhook: most('webhook') },
        rate: fleet.rates.most,
        objective: slo.p95,
      },
      { kind: 'text', weight: 'note', text: 'A step of 40 s measures a p95 in the range in brackets, 9 times in 10.' },
    ]
  }
  return {
    id: 'fleet',
    title: 'Another fleet',
    evidence: true,
    on: ['html'],
    blocks: [
      {
        kind: 'text',
        weight: 'note',
        text:
          `A model of this run, not a measurement. The objective is a p95 of ${latency(slo.p95)}. What a rate needs, `
          + 'with Redis, PostgreSQL and Helm values:',
        command: `${typed.lab} size ${shellWord(folder)} --rate 500`,
      },
      ...all.flatMap(sliders),
    ],
  }
}
