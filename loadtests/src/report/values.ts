import type { Recommendation, Summary } from '../model/summary.ts'
import { redacted } from '../secret/forms.ts'
import { asValuesFile } from '../lib/values.ts'
import { list, rate } from '../lib/figures.ts'
import { again, installing } from './commands.ts'
import { objective } from './sentences.ts'
import type { Values } from '../model/experiment.ts'
import { cellKey } from '../model/result.ts'

/** The recommended Helm values, with a header that names their source. Always valid for `helm -f`. */
export function renderValues(summary: Summary, folder = `results/${summary.id}`): string {
  const { recommendation, experiment, environment } = summary
  const partial = summary.outcome === 'complete' ? '' : ` (${summary.outcome}: partial)`
  const from = [
    `Run ${summary.id}, started ${summary.startedAt}${partial}.`,
    `Measured with: ${again(summary.command)}`,
    `Objective: ${objective(experiment)}.`,
  ]
  if (!recommendation) {
    return comment(['No values are recommended.', ...from, unanswered(summary)])
  }
  const { values, left } = withoutRedacted(recommendation.values)
  const secrets = left.length ? [`Secrets are not in them: give ${list(left)} as it was given to the run.`] : []
  const about = comment(['Helm values for n8n-tuned.', recommendation.why, ...from, ...secrets, 'Use them with:'])
  // One line, to be copied unchanged.
  const use = `# ${installing(folder, environment).replace(/\s+/g, ' ')}\n`
  // NOTES of the chart repeat it, and its alerts need the figure.
  const measured = { measured: recommendation.why, ...capacityOf(summary, recommendation) }
  return `${about}${use}\n${asValuesFile({ ...values, ...measured })}`
}

/** Of several workflows, the chart could not tell which one is asked for. A closed load has no rate of its own. */
function capacityOf({ results, experiment, startedAt }: Summary, { variant, cell }: Recommendation): Values {
  const [own, ...others] = results.filter(
    (one) => cellKey({ variant, cell }) === cellKey({ variant: one.variant, cell: one.cell }),
  )
  if (!own?.capacity || others.length > 0 || experiment.load.shape === 'closed') return {}
  const rate = Number(own.capacity.rate.toPrecision(3))
  return { capacity: { rate, workflow: own.workflow, date: startedAt.slice(0, 10) } }
}

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

export function unanswered({ results, outcome, environment, experiment }: Summary): string {
  if (experiment.plan === 'server') return 'Bare servers were measured: there is nothing to install.'
  if (results.every((result) => result.steps.length === 0)) return 'Nothing was measured.'
  if (outcome !== 'complete') return 'The run ended before the configurations could be compared.'
  if (experiment.variants.some(({ beside }) => beside !== undefined))
    return 'Side by side it was asked what the same load takes, not which sustains the most.'
  if (experiment.variants.some(({ without }) => without !== undefined))
    return 'It was asked what each setting is worth, not which values to use.'
  if (environment.limits === 'unknown') return 'It was measured as it ran: its Helm values are not known.'
  if (environment.limits === 'not enforced')
    return 'The limits of CPU and memory were not enforced, so other values would have measured the same machine.'
  if (experiment.need !== undefined)
    return `No configuration sustained ${rate(experiment.need)} of every workflow within the objective.`
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
