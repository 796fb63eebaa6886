import type { Quantiles, Times } from '../observe/books/books.ts'
import type { Result, Step } from '../analyse/summary.ts'
import { latency, rate } from '../figures.ts'

/** What a table of waits says of a result. */
export interface Waits {
  load: string
  waited: string
  ran: string
  /** Jobs that no worker had: on average, and at most. */
  queued: string
}

export const waitHead = ['Load', 'Waited, p50 / p95', 'Ran, p50 / p95', 'Waiting jobs, mean / most']

/** Of a result in queue mode, at the highest load that held, or else at the last that was tried; null where nobody said. */
export function waitsOf({ steps, waiting }: Result): Waits | null {
  const known = steps.filter((step): step is Timed => step.purpose === 'measure' && step.times !== null)
  const held = known.filter(({ holds }) => holds).sort((a, b) => a.load.throughput - b.load.throughput)
  const step = held.at(-1) ?? known.at(-1)
  if (!waiting || !step) return null
  const { load, times } = step
  return { load: load.rate === null ? `${load.vus} clients` : rate(load.rate), waited: both(times.waited), ran: both(times.ran), queued: `${waiting.mean.toFixed(1)} / ${waiting.max}` }
}

type Timed = Step & { times: Times }

const both = ({ p50, p95 }: Quantiles) => `${latency(p50)} / ${latency(p95)}`
