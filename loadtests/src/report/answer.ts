import { join } from 'node:path'
import { isFine, type ConfigurationAnswer } from '../model/answer.ts'
import { isOf } from '../judge/sustained.ts'
import type { Result } from '../model/result.ts'
import { duration, figure, list, percent, perSecond } from '../lib/figures.ts'
import {
  causeInWords,
  causeSigns,
  chanceInWords,
  markOf,
  nextOf,
  rangeOf,
  safeInWords,
  whyOf,
  whyOfOne,
} from './answered.ts'
import { toHaveItWhole } from './bridge-words.ts'
import { loadAgainstLatency } from './charts.ts'
import { toldOf, workflowsOf } from './choice.ts'
import type { Block, Card, First, Rates } from './document.ts'
import { moment } from './environment.ts'
import { faultsInShort } from './faults.ts'
import { gateInShort } from './judgements.ts'
import { signOf } from './reason-words.ts'
import type { Page } from './page.ts'
import { ofTier, tiersOf } from './tiers.ts'
import type { Summary } from '../model/summary.ts'
import { atPath, mergeValues } from '../lib/values.ts'
import { toActOn } from './advice.ts'
import { asking, installing } from './commands.ts'
import { unanswered } from './values.ts'
import type { Values } from '../model/experiment.ts'

/** What stands beside the answer: a figure for every workflow, all on one axis, and what goes with a signature. */
export function firstScreen(page: Page): First {
  const { summary, folder } = page
  const { experiment, startedAt, endedAt, outcome } = summary
  const workflows = workflowsOf(summary)
  const took = endedAt ? `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))}` : ''
  // Side by side the sentence alone has the figures.
  const alone = summary.comparison.every(({ takes }) => !takes?.length)
  const measured = identityOf(summary)
  const whole = toHaveItWhole(summary).slice(0, MANY)
  return {
    about: ['n8n-tuned capacity report', experiment.name, `${moment(startedAt)}${took}`],
    outcome: outcome === 'complete' ? null : outcome,
    whole: workflows,
    marks: [gateInShort(page), faultsInShort(page)].filter((mark) => mark !== null),
    cards: alone ? workflows.map((workflow, index) => card(workflow, index, page)) : [],
    rates: alone ? ratesOf(page) : null,
    curve: curveOf(page),
    facts: [
      rateFact(summary, folder),
      { what: 'What to set', ...toSet(summary, join(folder, page.values)) },
      { what: 'Trade-off', text: tradeOff(page) },
      { what: 'What limits it', text: limits(summary) },
      ...whole.map((text) => ({ what: 'To have it whole', text })),
      ...(measured.length > 0 ? [{ what: 'What was measured', text: measured.join(' · ') }] : []),
    ],
  }
}

const chosenFor = (workflow: string, { answer }: Summary): ConfigurationAnswer | undefined =>
  answer.configurations.find((one) => one.chosen && one.workflow === workflow)

function card(workflow: string, index: number, page: Page): Card {
  const one = chosenFor(workflow, page.summary)
  const about = { title: workflow, section: `workflow-${index}` }
  if (!one) return { ...about, figure: null, tone: 'none', notes: ['Not measured.'] }
  const mark = markOf(one)
  if (one.answered === 'not-measured')
    return { ...about, figure: null, tone: 'none', mark, notes: [`${page.name(one)}: ${whyOfOne(one, page.summary)}`] }
  const why = isFine(one.answered) ? [] : [whyOfOne(one, page.summary)]
  const figures = [rangeOf(one), safeInWords(one)].filter(Boolean).join(' · ')
  return {
    ...about,
    figure: one.capacity ? perSecond(one.capacity.rate) : 'none',
    tone: mark.tone,
    ...(!isFine(one.answered) && { mark }),
    notes: [[page.name(one), figures].filter(Boolean).join(': '), ...why, ...against(one)],
  }
}

/** What the figure is compared with. */
function against({ ratio }: ConfigurationAnswer): string[] {
  if (!ratio || ratio.ratio === null) return []
  const sides = ratio.low !== null && ratio.high !== null ? ` (${figure(ratio.low)} to ${figure(ratio.high)})` : ''
  const of = ratio.by === 'cpu' ? 'the CPU an execution of' : ratio.by === 'throughput' ? 'the throughput of' : ''
  return [[`${figure(ratio.ratio)} times`, of, `${ratio.baseline}${sides}: ${ratio.finding}`].filter(Boolean).join(' ')]
}

/** All configurations on one axis, each with where its capacity lies; null where no rate was found or asked for. */
function ratesOf({ summary, name, colour }: Page): Rates | null {
  const { question, configurations } = summary.answer
  if (summary.experiment.load.shape !== 'search') return null
  const several = workflowsOf(summary).length > 1
  const shown = configurations.length > mostRows ? configurations.filter((one) => one.chosen) : configurations
  const ends = shown.flatMap(({ capacity }) => (capacity ? [capacity.high ?? 1.2 * capacity.rate] : []))
  if (ends.length === 0) return null
  return {
    most: 1.08 * Math.max(...ends, question.rate ?? 0),
    asked: question.rate,
    rows: shown.map((one) => ({
      name: several ? `${one.workflow}, ${name(one)}` : name(one),
      colour: colour(one),
      mark: isFine(one.answered) ? null : markOf(one),
      safe: one.safe?.rate ?? null,
      low: one.capacity?.low ?? null,
      high: one.capacity?.high ?? null,
      rate: one.capacity?.rate ?? null,
      text: one.capacity
        ? [perSecond(one.capacity.rate), rangeOf(one), safeInWords(one)].filter(Boolean).join(' · ')
        : whyOfOne(one, summary),
    })),
  }
}

/** More rows are a table, which is below. */
const mostRows = 8

/** Of the first workflow that has any. */
function curveOf(page: Page): Block[] {
  const { results } = page.summary
  const workflow = workflowsOf(page.summary).find((one) =>
    results.some((result) => result.workflow === one && result.capacity !== null),
  )
  const own = results.filter((result) => result.workflow === workflow)
  if (own.length === 0 || own.length > mostRows) return []
  return loadAgainstLatency(own, 'first', page).filter(({ kind }) => kind === 'figure')
}

/** The rate that was asked for against what is sustained; else the safe rate, and how to ask. */
export function rateFact(summary: Summary, folder: string): First['facts'][number] {
  const { answer, experiment } = summary
  const { rate: asked } = answer.question
  if (asked !== null) {
    const from = experiment.needIs === undefined ? '' : `, ${experiment.needIs}`
    const words = { met: 'yes', missed: 'no', measured: 'measured', unsure: 'unsure', 'not-measured': 'not measured' }[
      answer.answered
    ]
    return {
      what: 'Your rate',
      text: [`${perSecond(asked)}${from}: ${words}.`, whyOf(summary)].filter(Boolean).join(' '),
      command: nextOf(summary),
    }
  }
  const safe = answer.configurations.filter((one) => one.chosen && one.safe !== null)
  if (safe.length === 0)
    return {
      what: 'Safe rate',
      text: whyOf(summary) || 'No rate was asked for, and none was searched.',
      command: nextOf(summary),
    }
  const several = workflowsOf(summary).length > 1
  const each = safe.map((one) => `${perSecond(one.safe!.rate)}${several ? ` of ${one.workflow}` : ''}`)
  const least = Math.min(...safe.map((one) => one.safe!.rate))
  return {
    what: 'Safe rate',
    text:
      `Safe: ${list(each)}. There the objective holds with a chance of ${chanceInWords(safe[0]!)}. `
      + 'Does it sustain yours?',
    command: asking(folder, Number((least / 2).toPrecision(1))),
  }
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

/** What limits each, and what an operator would see of it. */
export function limits(summary: Summary): string {
  const chosen = summary.answer.configurations.filter((one) => one.chosen && one.limit !== null)
  if (chosen.length === 0) return nothingBroke(summary)
  const several = chosen.length > 1
  const { p95 } = summary.experiment.slo
  const facts = chosen
    .slice(0, MANY)
    .map((one) => (several ? `${one.workflow}: ${causeInWords(one, null)}` : causeInWords(one, p95)))
  const more = chosen.length > MANY ? [`${chosen.length - MANY} more are below.`] : []
  if (several) return [...facts, ...more].join(' ')
  const seen = chosen.flatMap(({ limit, ...one }) => [
    signOf(firstReason(one, summary)) ?? [],
    causeSigns[limit!.code] ?? [],
  ])
  const signs = [...new Set(seen.flat())].slice(0, 2)
  return [...facts, ...(signs.length > 0 ? [`Signs: ${signs.join(' ')}`] : [])].join(' ')
}

/** That no rate held says less than why. */
function firstReason(one: Pick<ConfigurationAnswer, 'variant' | 'workflow' | 'cell'>, { results }: Summary) {
  const reasons = results.find((result) => isOf(one, result))?.verdict.reasons ?? []
  return (reasons.find(({ code }) => code !== 'nothing-held') ?? reasons[0])?.code
}

function nothingBroke(summary: Summary): string {
  const told = toldOf(summary)
  if (told.length === 0) return 'Not known: nothing was measured.'
  const searched = summary.experiment.load.shape === 'search'
  const nothing = searched ? 'Nothing broke, up to the highest rate that was tried.' : 'Nothing broke at this load.'
  const used = told.flatMap((result) => usedBy(result, summary.experiment.slo.p95))
  const [first] = used.toSorted((a, b) => b.share - a.share)
  return first ? `${nothing} Nearest to its limit: ${first.text}.` : nothing
}

/** How much of what it may use a load took. Shared memory may be counted twice, so the share is cut at its limit. */
function usedBy({ capacity, resources }: Result, objective: number): { text: string; share: number }[] {
  const use = (what: string, of: string, share: number) => ({
    share: Math.min(1, share),
    text: `${what} at ${percent(Math.round(Math.min(1, share) * 100) / 100)} ${of}`,
  })
  return [
    ...(capacity?.p95 == null
      ? []
      : [
          use(
            `p95${capacity.p95At === undefined ? '' : ` at ${perSecond(capacity.p95At)}`}`,
            'of its objective',
            capacity.p95 / objective,
          ),
        ]),
    ...resources.flatMap(({ process, cpu, rss, limit }) => [
      ...(cpu && limit.cpu ? [use(`${process}’s CPU`, 'of its limit', cpu.mean / limit.cpu)] : []),
      ...(rss && limit.memory ? [use(`${process}’s memory`, 'of its limit', rss.max / limit.memory)] : []),
    ]),
  ]
}

/** The settings that make the difference, and the command that installs all of them; else what to change first. */
export function toSet(summary: Summary, file: string): { text: string; command?: string } {
  const { recommendation, experiment } = summary
  if (!recommendation) {
    const first = toldOf(summary).flatMap(toActOn)[0]
    // The headline says why nothing was measured.
    const why = summary.answer.answered === 'not-measured' ? '' : unanswered(summary)
    return { text: ['Nothing yet.', why, first?.advice].filter(Boolean).join(' ') }
  }
  const own = experiment.variants.find(({ name }) => name === recommendation.variant)?.values ?? {}
  const inCell = Object.entries(recommendation.cell).map(([path, value]) => atPath(path, value))
  const [told = [], all] = [mergeValues(own, ...inCell), recommendation.values].map(leaves)
  const named = told.length > 0 ? told : (all ?? [])
  const more = named.length > MANY ? [`and ${named.length - MANY} more`] : []
  const settings = [...named.slice(0, MANY), ...more].join(', ')
  const command = installing(file, summary.environment)
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
