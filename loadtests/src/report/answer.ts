import { inSameCell, type Capacity, type Result } from '../model/result.ts'
import { duration, latency, list, rate } from '../lib/figures.ts'
import { choiceFor, toldOf, wasMeasured, workflowsOf } from './choice.ts'
import type { Card, First } from './document.ts'
import { moment } from './environment.ts'
import { faultsInShort } from './faults.ts'
import { headroomOf, used, type Told } from './headroom.ts'
import { gateInShort } from './judgements.ts'
import { brokeBy, short, signOf, signs } from './labels.ts'
import type { Page } from './page.ts'
import { between, runsOf } from './sentences.ts'
import { ofTier, tiersOf } from './tiers.ts'
import type { Summary } from '../model/summary.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { toActOn } from './advice.ts'
import { installing } from './commands.ts'
import { unanswered } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** What stands beside the answer: a figure for every workflow, and what goes with a signature. */
export function firstScreen(page: Page): First {
  const { summary, folder } = page
  const { experiment, startedAt, endedAt, outcome } = summary
  const workflows = workflowsOf(summary)
  const took = endedAt ? `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))}` : ''
  // Side by side the sentence alone has the figures.
  const carried = summary.comparison.every(({ takes }) => !takes?.length)
  const measured = identityOf(summary)
  return {
    about: ['n8n-tuned capacity report', experiment.name, `${moment(startedAt)}${took}`],
    outcome: outcome === 'complete' ? null : outcome,
    whole: workflows,
    marks: [gateInShort(page), faultsInShort(page)].filter((mark) => mark !== null),
    cards: carried ? workflows.map((workflow, index) => card(workflow, index, page)) : [],
    facts: [
      { what: 'Headroom', ...headroomOf(summary, folder) },
      { what: 'What to set', ...toSet(summary, folder) },
      { what: 'Trade-off', text: tradeOff(page) },
      { what: 'What would break next', text: nextToBreak(summary) },
      ...(measured.length > 0 ? [{ what: 'What was measured', text: measured.join(' · ') }] : []),
    ],
  }
}

function card(workflow: string, index: number, page: Page): Card {
  const result = choiceFor(workflow, page.summary)
  const about = { title: workflow, section: `workflow-${index}` }
  if (!result)
    return wasMeasured(workflow, page.summary)
      ? { ...about, figure: 'none', bad: true, notes: ['Nothing met the objective.'] }
      : { ...about, figure: null, notes: ['Not measured.'] }
  const { capacity, verdict } = result
  if (!capacity || !verdict.holds) {
    const why = `${page.name(result)}: ${brokeBy(result) ?? 'not measured'}`
    return { ...about, figure: capacity ? rate(capacity.rate) : 'none', bad: true, notes: [why] }
  }
  const p95 = capacity.p95 === null ? [] : [`p95 ${latency(capacity.p95)}`]
  return {
    ...about,
    figure: rate(capacity.rate),
    ...(verdict.unsure?.length && { mark: { word: 'unsure', tone: 'unsure' } }),
    notes: [[page.name(result), ...p95].join(' · '), sureness(capacity), ...against(result, page)],
  }
}

/** Where the figure lies, and how that is known. */
function sureness(capacity: Capacity): string {
  const sides = between(capacity)
  if (sides === '' && capacity.repeats.length === 1) return 'one run, spread unknown'
  return [sides, runsOf(capacity)].filter(Boolean).join(' · ')
}

/** The first variant under the same workflow: what the figure is compared with. */
function against(result: Result, { summary, name }: Page): string[] {
  const isOf = (one: { workflow: string; cell: Result['cell'] }) =>
    one.workflow === result.workflow && inSameCell(one, result)
  const comparison = summary.comparison.find((each) => isOf(each) && each.variant === result.variant)
  const baseline = comparison && summary.results.find((each) => isOf(each) && each.variant === comparison.baseline)
  if (!baseline) return []
  const broke = brokeBy(baseline)
  const figure = baseline.capacity ? rate(baseline.capacity.rate) : 'none'
  return [`${name(baseline)}: ${figure}${broke ? `, ${baseline.verdict.holds ? 'then' : 'but'} ${broke}` : ''}`]
}

function tradeOff({ summary }: Page): string {
  const told = toldOf(summary)
  const tiers = told.flatMap(({ tier }) => tier ?? [])
  if (tiers.length === 0) return 'Not known: what was measured does not say it.'
  const all = [...new Set(tiers.map(ofTier))]
  return all.length === 1 ? `You lose ${all[0]!}` : list(tiersOf({ ...summary, results: told }))
}

/** What exactly was measured: chart, n8n, image, tier and patches. What the record does not say is left out. */
export function identityOf(summary: Summary): string[] {
  const { versions, engine, limits } = summary.environment
  const tiers = toldOf(summary).flatMap(({ tier }) => tier ?? [])
  const each = (values: (string | undefined)[]) => [...new Set(values)].filter((value) => value !== undefined)
  const named = (what: string, values: (string | undefined)[]) =>
    each(values).length > 0 ? [`${what} ${list(each(values))}`] : []
  const patched = each(tiers.flatMap(({ applied }) => applied))
  return [
    ...named(
      'chart',
      tiers.map(({ chart }) => chart),
    ),
    ...(versions.n8n ? [`n8n ${versions.n8n}`] : []),
    ...(engine === 'processes'
      ? ['installed from npm, without an image']
      : images(each(tiers.map(({ image }) => image)), limits)),
    ...named(
      'tier',
      tiers.map(({ name }) => name),
    ),
    ...(tiers.length > 0 ? [patched.length > 0 ? `patches ${list(patched)}` : 'no patches'] : []),
  ]
}

/** Only a cluster is given the digest: on one machine the tag alone names the image. */
function images(named: string[], limits: string): string[] {
  return named.map((image) => {
    const pinned = image.includes('@')
    if (limits === 'Kubernetes') return `image ${image}${pinned ? '' : ', no digest pinned'}`
    return `image ${image.split('@')[0]}, digest not recorded`
  })
}

/** A longer list is not read. */
const MANY = 4

/** What breaks first beyond what n8n carries, and what an operator would see of it. */
export function nextToBreak(summary: Summary): string {
  const told = toldOf(summary)
  if (told.length === 0) return 'Not known: nothing was measured.'
  const broke = told.filter(({ verdict }) => verdict.reasons.length > 0)
  if (broke.length === 0) return nothingBroke(told, summary)
  const several = told.length > 1
  const facts = several ? severally(broke) : [alone(broke[0]!)]
  const first = new Set(broke.map(({ verdict }) => cause(verdict.reasons).code))
  const seen = [...first].flatMap((code) => signOf(code) ?? [])
  return [...facts, ...(seen.length > 0 ? [`Signs: ${seen.slice(0, 2).join(' ')}`] : [])].join(' ')
}

/** That no rate held says less than why. */
const cause = (reasons: Result['verdict']['reasons']) =>
  reasons.find(({ code }) => code !== 'nothing-held') ?? reasons[0]!

function alone({ verdict }: Result): string {
  const { code, text } = cause(verdict.reasons)
  if (code === 'generator-behind') return `The generator, before n8n: what breaks n8n is not known. ${text}`
  return `${verdict.at === null ? '' : `At ${rate(verdict.at)}: `}${short(code)}. ${text}`
}

function severally(broke: Result[]): string[] {
  const named = broke.slice(0, MANY).map(({ workflow, verdict }) => {
    const at = verdict.at === null ? '' : ` at ${rate(verdict.at)}`
    return `${workflow}${at}: ${short(cause(verdict.reasons).code)}.`
  })
  return broke.length > MANY ? [...named, `${broke.length - MANY} more are below.`] : named
}

function nothingBroke(told: Result[], { experiment }: Summary): string {
  const searched = experiment.load.shape === 'search'
  const nothing = searched ? 'Nothing broke, up to the highest rate that was tried.' : 'Nothing broke at this load.'
  const [first] = told.flatMap((result) => used(result, experiment.slo)).toSorted((a, b) => b.share - a.share)
  return first ? `${nothing} Nearest to its limit: ${first.text}. Signs: ${signs[first.sign]}` : nothing
}

/** The settings that make the difference, and the command that installs all of them; else what to change first. */
export function toSet(summary: Summary, folder: string): Told {
  const { recommendation, experiment } = summary
  if (!recommendation) {
    const first = toldOf(summary).flatMap(toActOn)[0]
    return { text: [`Nothing yet. ${unanswered(summary)}`, first?.advice].filter(Boolean).join(' ') }
  }
  const own = experiment.variants.find(({ name }) => name === recommendation.variant)?.values ?? {}
  const inCell = Object.entries(recommendation.cell).map(([path, value]) => atPath(path, value))
  const [told = [], all] = [mergeValues(own, ...inCell), recommendation.values].map(leaves)
  const named = told.length > 0 ? told : (all ?? [])
  const more = named.length > MANY ? [`and ${named.length - MANY} more`] : []
  const settings = [...named.slice(0, MANY), ...more].join(', ')
  const command = installing(folder, summary.environment)
  return { text: settings ? `${settings}.` : 'Nothing: the chart’s own defaults.', command }
}

/** `main.resources.limits.cpu: 2` */
function leaves(values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value as Values).map((leaf) => `${key}.${leaf}`)
      : [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  )
}
