import type { Summary } from '../model/summary.ts'
import { count, duration, figure, latency, list, memory, rate, span } from '../lib/figures.ts'
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
    ...(experiment.need === undefined ? [] : [['Rate that is needed', `${rate(experiment.need)} of every workflow`]]),
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
    ['Cores', `n8n on ${listed(cores.target)}, load generator on ${listed(cores.generator)}`],
    ...(environment.engine ? [['n8n ran as', environment.engine]] : []),
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

const paceOf = ({ rate: median, p95, rates }: NonNullable<Environment['calibration']>) =>
  `${rate(median)}, p95 ${latency(p95)}${rates.length > 1 ? `; ${count(rates.length)} looks ${span(rates)}` : ''}`

/** `2026-11-20 09:00 UTC`: the reader may be in another time zone than the machine. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const listed = (cores: number[]): string =>
  cores.length === 0 ? 'any core' : `core${cores.length > 1 ? 's' : ''} ${list(cores.map(count))}`
