import type { Summary, WrittenSummary } from '../model/summary.ts'
import { comparisonInWords, worthInWords } from './comparison-words.ts'
import { machinesInWords, verdictInWords } from './gate-words.ts'
import { reasonInWords } from './reason-words.ts'
import { noLawInWords, scalingInWords } from './scaling-words.ts'
import { warningsIn } from './warnings.ts'

/** As programs get it: with the sentences, which the reports make of the same codes and figures. */
export function worded(summary: Summary): WrittenSummary {
  const { environment, comparison, worth, scaling, gate, results } = summary
  return {
    ...summary,
    results: results.map((one) => ({
      ...one,
      verdict: { ...one.verdict, reasons: one.verdict.reasons.map(reasonInWords) },
    })),
    environment: { ...environment, warnings: warningsIn(environment) },
    comparison: comparison.map((one) => ({ ...one, text: `${one.workflow}: ${comparisonInWords(one, summary)}` })),
    worth: worth.map((one) => ({ ...one, text: `${one.setting}: ${worthInWords(one, summary)}` })),
    scaling: scaling.map((one) => ({
      ...one,
      refused: one.noLaw && noLawInWords(one.noLaw),
      text: scalingInWords(one),
    })),
    gate: gate && {
      ...gate,
      verdicts: gate.verdicts.map((one) => ({ ...one, text: verdictInWords(one, gate, results) })),
      warning: machinesInWords(gate),
    },
  }
}
