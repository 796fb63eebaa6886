import { isRecommended } from '../judge/answer.ts'
import type { Summary } from '../model/summary.ts'
import type { Result } from '../model/result.ts'
import { trafficNames } from '../model/experiment.ts'
import { answerFor } from './answered.ts'

/** The results that the answer chose, for those who tell more of them. */

/** The result that represents a workflow; null where none of them sustains anything. */
export function choiceFor(workflow: string, summary: Summary): Result | null {
  const chosen = chosenOf(workflow, summary)
  return chosen && (isRecommended(chosen, summary) || holds(chosen)) ? chosen : null
}

const chosenOf = (workflow: string, summary: Summary): Result | undefined =>
  summary.results.find((result) => result.workflow === workflow && answerFor(result, summary)?.chosen)

/** The result that a reader is told of, of each workflow. */
export const toldOf = (summary: Summary): Result[] =>
  workflowsOf(summary).flatMap((workflow) => {
    const chosen = chosenOf(workflow, summary)
    return chosen && (chosen.steps.length > 0 || chosen.failure) ? chosen : []
  })

export const holds = (result: Result): boolean => result.verdict.holds && result.capacity !== null

/** Workflows in the profile's order, those without a result last. */
export function workflowsOf(summary: Summary): string[] {
  return [...new Set([...trafficNames(summary.experiment), ...summary.results.map((result) => result.workflow)])]
}
