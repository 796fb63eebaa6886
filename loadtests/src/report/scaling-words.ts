import { nameOf, perSecond, roughly } from '../lib/figures.ts'
import { rateAt, type NoLaw, type ScalingResult } from '../model/scaling.ts'

/** The words for how capacity grows with replicas. */

export function scalingInWords(one: ScalingResult): string {
  return `${one.workflow}, ${nameOf(one)}: ${one.noLaw ? `no scaling law. ${noLawInWords(one.noLaw)}` : lawOf(one)}`
}

function lawOf({ law, residuals, peak, linear, forecast = [], setting }: ScalingResult): string {
  const worst = Math.max(...residuals.map(({ share }) => Math.abs(share)))
  const next = forecast.find(({ replicas }) => replicas === residuals.at(-1)!.replicas + 1)!
  const end =
    peak !== null
      ? `more than ${peak} would sustain less, at ${perSecond(rateAt(law!, Math.max(1, peak)))}`
      : linear
        ? 'linear as far as measured'
        : 'each adds less than the one before, and no peak was seen'
  return (
    `one replica sustains ${perSecond(law!.lambda)}, ${next.replicas} would sustain ${perSecond(next.low)} to `
    + `${perSecond(next.high)}; ${end} (${setting}; the law is off by ${roughly(worst)} at most).`
  )
}

export function noLawInWords(why: NoLaw): string {
  switch (why.code) {
    case 'too-few-sizes':
      return `Expected capacities of at least ${why.least} numbers of replicas, got ${why.sizes}.`
    case 'one-held-nothing':
      return 'Expected every number of replicas to hold some rate, got one that held none.'
    case 'off-the-law':
      return (
        `Expected capacities within ${why.allowed * 100} % of the law, got ${why.replicas} replicas off by `
        + `${Math.round(why.share * 100)} %: something other than their number decides.`
      )
  }
}
