import type { Summary } from '../model/summary.ts'
import { count, duration, figure, latency, list, memory, perSecond, span } from '../lib/figures.ts'
import { trustedRate } from '../judge/generator.ts'
import { engineReasonInWords } from './progress-words.ts'
import { method } from './method.ts'
import { objective } from './sentences.ts'
import type { Environment } from '../model/environment.ts'

/** What a reader needs to repeat the run, or to doubt it. */
export function environmentRows(summary: Summary): string[][] {
  const { environment, experiment } = summary
  const { machine, cores, calibration } = environment
  return [
    ['Run', summary.id],
    ['Profile', experiment.name],
    ['Started', moment(summary.startedAt)],
    [
      'Took',
      summary.endedAt
        ? duration(Date.parse(summary.endedAt) - Date.parse(summary.startedAt))
        : 'unknown: the run did not end by itself',
    ],
    ['Load', method(experiment)],
    ['Objective', objective(experiment)],
    ...(experiment.need === undefined
      ? []
      : [['Rate that is needed', `${perSecond(experiment.need)} of every workflow`]]),
    [
      'Versions',
      Object.entries(environment.versions)
        .map(([what, version]) => `${what} ${version}`)
        .join(', '),
    ],
    [
      'Machine',
      machine
        ? `${machine.cpu}, ${machine.cores} cores, ${memory(machine.memory)}, kernel ${machine.kernel}`
        : 'unknown',
    ],
    ['Cores', coresInWords(cores)],
    ...trusted(summary),
    ...(environment.engine ? [['n8n ran as', engineInWords(environment)]] : []),
    ['Limits enforced by', environment.limits],
    ['Load average before', environment.loadAverage.map(figure).join(', ') || 'unknown'],
    [
      'The lab itself used',
      environment.lab === null
        ? 'unknown'
        : `${(environment.lab * 100).toFixed(1)} % of a core while it measured, without the generator`,
    ],
    ['Bare Node server on the same cores', calibration ? paceOf(calibration) : 'not measured'],
  ]
}

const engineInWords = ({ engine, engineReason }: Pick<Environment, 'engine' | 'engineReason'>) =>
  engineReason ? `${engine}: ${engineReasonInWords(engineReason)}` : engine!

const programs = {
  target: 'n8n',
  generator: 'k6 and the lab',
  postgresql: 'PostgreSQL',
  redis: 'Redis',
  beside: 'the mock of services',
} satisfies Record<keyof Environment['cores'], string>

/** What shares cores is named together. */
function coresInWords(cores: Environment['cores']): string {
  const given = (Object.keys(programs) as (keyof typeof programs)[]).filter((role) => cores[role])
  const groups = Map.groupBy(given, (role) => listed(cores[role]!))
  return [...groups].map(([on, roles]) => `${list(roles.map((role) => programs[role]))} on ${on}`).join('; ')
}

function trusted({ environment, results }: Summary): string[][] {
  const steps = results.flatMap((result) => result.steps)
  const most = trustedRate(steps, environment)
  if (most === null || !environment.cores.generator.length) return []
  return [
    [
      'Can be trusted up to',
      `about ${perSecond(most)}: more fills ${listed(environment.cores.generator)}, and not n8n’s`,
    ],
  ]
}

const paceOf = ({ rate: median, p95, rates }: NonNullable<Environment['calibration']>) =>
  `${perSecond(median)}, p95 ${latency(p95)}${rates.length > 1 ? `; ${count(rates.length)} looks ${span(rates)}` : ''}`

/** `2026-11-20 09:00 UTC`: the reader may be in another time zone than the machine. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const listed = (cores: number[]): string =>
  cores.length === 0 ? 'any core' : `core${cores.length > 1 ? 's' : ''} ${list(cores.map(count))}`
