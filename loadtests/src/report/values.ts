import { join } from 'node:path'
import { usualValues } from './page.ts'
import type { Summary } from '../model/summary.ts'
import { redacted } from '../secret/forms.ts'
import { asValuesFile } from '../lib/values.ts'
import { list, perSecond } from '../lib/figures.ts'
import { bundledNames } from '../lib/bundled.ts'
import { again, installing } from './commands.ts'
import { isFine } from '../model/answer.ts'
import { isRecommended, isUndecided } from '../judge/answer.ts'
import { markOf, openRatios, whyOf } from './answered.ts'
import { whyRecommended } from './recommended.ts'
import { objective } from './sentences.ts'
import { mixed, type Values } from '../model/experiment.ts'

/** The recommended Helm values, with a header that names their source. Always valid for `helm -f`. */
export function renderValues(summary: Summary, folder = `results/${summary.id}`, file = usualValues): string {
  const { recommendation, experiment, environment } = summary
  const partial = summary.outcome === 'complete' ? '' : ` (${summary.outcome}: partial)`
  const from = [
    `Run ${summary.id}, started ${summary.startedAt}${partial}.`,
    `Measured with: ${again(summary.command)}`,
    `Objective: ${objective(experiment)}.`,
  ]
  if (!recommendation) {
    return comment(['No values are recommended.', answerIn(summary), whyOf(summary), ...from, unanswered(summary)])
  }
  const { values, left } = withoutRedacted(recommendation.values)
  const secrets = left.length ? [`Secrets are not in them: give ${list(left)} as it was given to the run.`] : []
  const why = whyRecommended(summary)
  const about = comment(['Helm values for n8n-tuned.', why, answerIn(summary), ...from, ...secrets, 'Use them with:'])
  // One line, to be copied unchanged.
  const use = `# ${installing(join(folder, file), environment).replace(/\s+/g, ' ')}\n`
  // NOTES of the chart repeat it, and its alerts need the figure.
  const measured = { measured: `${why} Measured elsewhere: ${where(summary)}.`, ...capacityOf(summary) }
  return `${about}${use}\n${asValuesFile({ ...values, ...measured })}`
}

const answerIn = ({ answer }: Summary): string => `Answer: ${markOf(answer).word}.`

/** The machine that the figures are of, which is seldom the one that they are read on. */
function where({ environment: { machine, limits, release }, startedAt }: Summary): string {
  const day = startedAt.slice(0, 10)
  if (release) return `release ${release.name} in ${release.namespace}, ${day}`
  if (limits === 'Kubernetes') return `a cluster, ${day}`
  return machine ? `${machine.cpu}, ${machine.cores} cores, ${day}` : `an unknown machine, ${day}`
}

/**
 * What the alerts of the chart go by: only of a workflow of the operator's own, with an answer. Of several workflows
 * the chart could not tell which one is asked for, and a sample of ours says nothing of theirs.
 */
function capacityOf(summary: Summary): Values {
  const { answer, experiment, startedAt } = summary
  const [own, ...others] = answer.configurations.filter((one) => isRecommended(one, summary))
  if (!own?.capacity || own.safe === null || others.length > 0) return {}
  if (!isFine(answer.answered) || experiment.load.shape !== 'search' || !isOwn(own.workflow)) return {}
  const three = (value: number) => Number(value.toPrecision(3))
  const { rate, low, high } = own.capacity
  return {
    capacity: {
      rate: three(rate),
      safe: three(own.safe.rate),
      ...(low !== null && { low: three(low) }),
      ...(high !== null && { high: three(high) }),
      workflow: own.workflow,
      date: startedAt.slice(0, 10),
      measuredOn: where(summary).replace(/, [0-9-]+$/, ''),
    },
  }
}

/** Neither a sample of ours nor a mix. */
const isOwn = (workflow: string): boolean => !bundledNames().includes(workflow) && workflow !== mixed

/** Also a URL without its password. */
const isRedacted = (value: unknown) => typeof value === 'string' && value.includes(redacted)

/** The record's placeholder for a secret would be used as the secret. */
export function withoutRedacted(values: Values, path = ''): { values: Values; left: string[] } {
  const left: string[] = []
  const kept = Object.entries(values).flatMap(([key, value]) => {
    // A list without some of its items would be another list.
    if (Array.isArray(value) ? JSON.stringify(value).includes(redacted) : isRedacted(value)) {
      left.push(path + key)
      return []
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key, value]]
    const inner = withoutRedacted(value as Values, `${path}${key}.`)
    left.push(...inner.left)
    return [[key, inner.values]]
  })
  return { values: Object.fromEntries(kept), left }
}

export function unanswered(summary: Summary): string {
  const { results, outcome, environment, experiment, answer } = summary
  if (experiment.plan === 'server') return 'Bare servers were measured: there is nothing to install.'
  if (results.every((result) => result.steps.length === 0)) return 'Nothing was measured.'
  if (outcome !== 'complete') return 'The run ended before the configurations could be compared.'
  if (answer.answered === 'not-measured' || answer.answered === 'unsure') return whyOf(summary)
  if (experiment.variants.some(({ beside }) => beside !== undefined))
    return 'Side by side it was asked what the same load takes, not which sustains the most.'
  if (experiment.asks === 'demand')
    return 'It was asked what an execution takes: `size` says from it what a rate needs.'
  if (experiment.variants.some(({ without }) => without !== undefined))
    return 'It was asked what each setting is worth, not which values to use.'
  if (environment.limits === 'unknown') return 'It was measured as it ran: its Helm values are not known.'
  if (environment.limits === 'not enforced')
    return 'The limits of CPU and memory were not enforced, so other values would have measured the same machine.'
  if (experiment.need !== undefined)
    return `No configuration sustained ${perSecond(experiment.need)} of every workflow within the objective.`
  const [only, ...others] = new Set(results.map(({ variant, cell }) => JSON.stringify([variant, cell])))
  if (only !== undefined && others.length === 0)
    return 'rate' in experiment.load ? `${perSecond(experiment.load.rate)} was not met.` : 'The objective was not met.'
  if (isUndecided(answer.configurations, summary))
    return `${['Which is better stayed open', openRatios(answer)].filter(Boolean).join(': ')}: measure longer.`
  return 'No configuration met the objective without being worse than the first under some workflow.'
}

/** Wrapped for an editor. Text from a profile may contain line breaks, which must stay within the comment. */
function comment(paragraphs: string[]): string {
  return paragraphs
    .flatMap((paragraph) => wrap(paragraph, 96))
    .map((line) => `# ${line}\n`)
    .join('')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
