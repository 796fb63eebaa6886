import type { Summary } from '../model/summary.ts'
import { inSameCell, type Result } from '../model/result.ts'
import { trafficNames } from '../model/experiment.ts'

/** The result that represents a workflow: the recommended one, otherwise the one that carries the most. */
export function choiceFor(workflow: string, summary: Summary): Result | null {
  const under = summary.results.filter((result) => result.workflow === workflow)
  const recommended = under.find((result) => isRecommended(result, summary))
  return recommended ?? under.filter(holds).toSorted((a, b) => b.capacity!.rate - a.capacity!.rate)[0] ?? null
}

export function isRecommended(result: Result, { recommendation }: Summary): boolean {
  return recommendation !== null && result.variant === recommendation.variant && inSameCell(result, recommendation)
}

/** The result that a reader is told of, of each workflow: of those under which nothing held, the first. */
export const toldOf = (summary: Summary): Result[] =>
  workflowsOf(summary).flatMap((workflow) => {
    const measured = summary.results.find((result) => result.workflow === workflow && result.steps.length > 0)
    return choiceFor(workflow, summary) ?? measured ?? []
  })

export const holds = (result: Result): boolean => result.verdict.holds && result.capacity !== null

/** Whether any load ran under a workflow. */
export const wasMeasured = (workflow: string, { results }: Summary): boolean =>
  results.some((result) => result.workflow === workflow && result.steps.length > 0)

/** Workflows in the profile's order, those without a result last. */
export function workflowsOf(summary: Summary): string[] {
  return [...new Set([...trafficNames(summary.experiment), ...summary.results.map((result) => result.workflow)])]
}
