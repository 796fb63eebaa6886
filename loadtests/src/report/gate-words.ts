import { nameOf, percent, perSecond, plusOrMinus, roughly } from '../lib/figures.ts'
import type { Gate, GateVerdict } from '../model/gate.ts'
import type { Result } from '../model/result.ts'
import { isOf } from '../judge/sustained.ts'
import { costWords } from './comparison-words.ts'
import { fateInWords } from './labels.ts'

/** The words for a gate. */

/** One figure, what it was, and whether that is worse. `results`: of a run that is its own baseline. */
export function verdictInWords(verdict: GateVerdict, gate: Gate, results: Result[] = []): string {
  const { workflow, baseline, was, without } = verdict
  const name = `${workflow}, ${nameOf(verdict)}`
  switch (without) {
    case null:
      return `${name}: ${figures(verdict)}: ${judged(verdict, gate)}.`
    case 'sustains-nothing':
      return `${name} sustains nothing, where ${perSecond(was!)} was sustained.`
    case 'does-not-sustain':
      return `${name} ${fateInWords(results.find((one) => isOf(verdict, one))!)}, where ${baseline} sustains it.`
    case 'cpu-unseen':
      return `${name}: no turn tells the CPU of requests from n8n’s own use. A higher --rate may show it.`
    case 'no-common-round':
      return `${name}: no round was sustained by both.`
    case 'no-counterpart':
      return `${name}: ${baseline ?? 'the earlier run'} has no result to compare with.`
  }
}

const measures = { ...costWords, capacity: { what: 'capacity', write: perSecond } }

function figures({ measure, was, now, change, within }: GateVerdict): string {
  const { what, write } = measures[measure]
  const size = `${change! < 0 ? '−' : '+'}${roughly(Math.abs(change!))}, ${plusOrMinus(within)}`
  return `${what} ${write(now!)}, was ${write(was!)} (${size})`
}

function judged({ verdict, bound, within }: GateVerdict, { apart }: Gate): string {
  switch (verdict) {
    case 'better':
      return 'better'
    case 'worse':
      return `beyond the bound of ${percent(bound)}`
    case 'passed':
      return `no worse beyond the bound of ${percent(bound)}`
    case 'unsure':
      if (apart !== null) return 'the machines differ, so that decides nothing'
      return within === null
        ? 'what it may be off by is not known of one run'
        : `whether that is beyond the bound of ${percent(bound)} cannot be said`
  }
}

/** Why two runs on two machines say little of each other; null where the machines are alike. */
export function machinesInWords({ apart, against }: Gate): string | null {
  if (apart === null) return null
  return (
    `A bare Node server answers ${roughly(Math.abs(apart))} ${apart < 0 ? 'less' : 'more'} here than `
    + `where ${against} was measured: the machines differ, and the comparison says little.`
  )
}
