import { latency, perSecond } from '../lib/figures.ts'
import type { Result } from '../model/result.ts'
import type { Quantiles, Step, Times } from '../model/step.ts'

/** The content of the tables of waits; only for results in queue mode. */
export const waitHead = ['Configuration', 'Load', 'Waited, p50 / p95', 'Ran, p50 / p95', 'Waiting jobs, mean / most']

export function waitRows(results: Result[], name: (result: Result) => string): string[][] {
  return results.flatMap((result) => {
    const { waiting, steps } = result
    const step = decisive(steps)
    if (!waiting || !step) return []
    const {
      load: { rate: asked, vus },
      times: { waited, ran },
    } = step
    return [
      [
        name(result),
        asked === null ? `${vus} clients` : perSecond(asked),
        both(waited),
        both(ran),
        `${waiting.mean.toFixed(1)} / ${waiting.max}`,
      ],
    ]
  })
}

/** Among results with known times: the highest load that held, otherwise the last one tried. */
function decisive(steps: Step[]): Timed | undefined {
  const known = steps.filter((step): step is Timed => step.purpose === 'measure' && step.times !== null)
  return (
    known
      .filter(({ holds }) => holds)
      .toSorted((a, b) => a.load.throughput - b.load.throughput)
      .at(-1) ?? known.at(-1)
  )
}

type Timed = Step & { times: Times }

const both = ({ p50, p95 }: Quantiles) => `${latency(p50)} / ${latency(p95)}`
