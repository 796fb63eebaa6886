import type { Gate, GateVerdict } from '../model/gate.ts'
import type { ScalingResult } from '../model/scaling.ts'
import type { Worth } from '../model/summary.ts'
import { perSecond, roughly } from '../lib/figures.ts'
import { asking } from './commands.ts'
import { comparisonInWords, worthInWords } from './comparison-words.ts'
import {
  bullets,
  note,
  paragraph,
  sentence,
  type Block,
  type First,
  type Printer,
  type Section,
  type Tone,
} from './document.ts'
import { machinesInWords, verdictInWords } from './gate-words.ts'
import { operatingSentences } from './operating.ts'
import type { Page } from './page.ts'
import { scalingInWords } from './scaling-words.ts'
import { tiersOf } from './tiers.ts'

/** What was judged of the whole run: one against the other, what each is worth, and what to run it at. */

const everywhere: Printer[] = ['terminal', 'markdown', 'html']
const written: Printer[] = ['markdown', 'html']

/** On a terminal alone: the other printers have each sentence under its workflow. */
export function comparison({ summary }: Page): Section | null {
  const told = summary.worth.length
    ? summary.worth.map((one) => `${one.workflow}: ${one.setting}: ${worthInWords(one, summary)}`)
    : summary.comparison.map((one) => `${one.workflow}: ${comparisonInWords(one, summary)}`)
  return told.length
    ? { id: 'comparison', title: 'Compared', on: ['terminal'], blocks: told.map((text) => paragraph(text)) }
    : null
}

/** What to run each configuration at: its safe rate, held for minutes where that was asked. */
export function operating({ summary }: Page): Section | null {
  const told = operatingSentences(summary)
  if (told.length === 0) return null
  return { id: 'operating', title: 'What to run it at', on: everywhere, blocks: told.map((text) => paragraph(text)) }
}

/** What is lost with each configuration, for what it sustains. */
export function tiers({ summary }: Page): Section | null {
  const told = tiersOf(summary)
  if (told.length === 0) return null
  return {
    id: 'tiers',
    title: 'Trade-offs',
    on: everywhere,
    blocks: [{ ...bullets(told), on: written }, ...told.map((text) => paragraph(text, ['terminal']))],
  }
}

const tones: Record<GateVerdict['verdict'], Tone> = { better: 'good', passed: 'good', worse: 'bad', unsure: 'unsure' }

/** Whether anything got worse, against an earlier run or the first variant. */
export function gate({ summary: { gate: asked, results } }: Page): Section | null {
  if (!asked) return null
  const title = `Against ${against(asked)}`
  const machines = machinesInWords(asked)
  const warning: Block[] = machines ? [{ kind: 'text', text: `  ${machines}`, tone: 'unsure', on: ['terminal'] }] : []
  return {
    id: 'gate',
    title,
    on: everywhere,
    blocks: [
      paragraph(`${title}:`, ['terminal']),
      { ...sentence([judged(asked), machines].filter(Boolean).join(' ')), on: written },
      {
        ...note(
          'Worse: beyond the bound by more than chance explains. Passed: within the bound even at the worst end of the '
            + 'interval.',
        ),
        on: ['html'],
      },
      {
        kind: 'list',
        items: asked.verdicts.map((one) => ({
          text: verdictInWords(one, asked, results),
          mark: { word: one.verdict, tone: tones[one.verdict] },
        })),
      },
      ...warning,
    ],
  }
}

/** The same in one line, for the first screen. */
export function gateInShort({ summary: { gate: asked } }: Page): First['marks'][number] | null {
  if (!asked) return null
  const worst = (['worse', 'unsure'] as const).find((mark) => asked.verdicts.some(({ verdict }) => verdict === mark))
  const word = worst ?? 'passed'
  return {
    mark: { word, tone: tones[word] },
    section: 'gate',
    link: `Against ${against(asked)}`,
    text: judged(asked),
  }
}

const against = (asked: Gate): string => asked.against ?? 'the first variant'

function judged({ verdicts }: Gate): string {
  const worse = verdicts.filter(({ verdict }) => verdict === 'worse').length
  const unsure = verdicts.filter(({ verdict }) => verdict === 'unsure').length
  if (worse > 0) return `${worse} of ${verdicts.length} figures got worse.`
  if (unsure > 0) return `Nothing got worse as far as can be said; ${unsure} of ${verdicts.length} figures are unsure.`
  return 'Nothing got worse.'
}

/** What each setting is worth, under each workflow, the most valuable first. */
export function worth({ summary }: Page): Section | null {
  if (summary.worth.length === 0) return null
  const byWorkflow = [...Map.groupBy(summary.worth, ({ workflow }) => workflow)]
  return {
    id: 'worth',
    title: 'What each setting is worth',
    evidence: true,
    on: written,
    blocks: [
      note(summary.worth.some(({ measure }) => measure === 'capacity') ? sustained : taken),
      ...byWorkflow.flatMap(([workflow, all]): Block[] => [
        { kind: 'heading', text: workflow },
        {
          kind: 'table',
          label: `Worth of the settings under ${workflow}`,
          columns: ['Setting', 'Worth', 'Give or take', 'In words'],
          rows: all.map((one) => [
            one.setting,
            signed(one.share, one.measure),
            one.within === null ? '–' : roughly(one.within),
            worthInWords(one, summary),
          ]),
        },
      ]),
    ],
  }
}

/** More capacity is better, and less of what a load takes. */
function signed(share: number | null, measure: Worth['measure']): string {
  if (share === null) return '–'
  return `${share > 0 === (measure === 'capacity') ? '+' : '−'}${roughly(Math.abs(share))}${units[measure]}`
}

const units = { capacity: '', cpu: ' CPU', p95: ' p95', memory: ' memory' }

const sustained =
  'How much more n8n sustains with the setting than without it, all other settings the same, ± the repeats’ spread.'
const taken =
  'How much less, or more, the load takes with the setting than without it, all other settings the same: the mean over '
  + 'the rounds ± its 95 % confidence interval. Where both n8n run at once on the same cores, each also waits for '
  + 'the other. Their p95 then differ by less than they would one after the other.'

/** How capacity grows with replicas: what was measured, and the law through it. */
export function scaling({ summary, folder }: Page): Section | null {
  if (summary.scaling.length === 0) return null
  return {
    id: 'scaling',
    title: 'How it scales',
    evidence: true,
    on: everywhere,
    blocks: [
      {
        kind: 'text',
        weight: 'note',
        text:
          'Dots: capacities, with the spread of their repeats. Line: the Universal Scalability Law. How many replicas '
          + 'sustain 200/s, or another rate:',
        command: asking(folder, 200),
        on: ['html'],
      },
      ...summary.scaling.flatMap(oneScaling),
    ],
  }
}

function oneScaling(one: ScalingResult, index: number): Block[] {
  const { workflow, setting, points, law, residuals } = one
  const each = points.map((point) => `${point.replicas} sustain ${perSecond(point.rate)}`).join(', ')
  return [
    { kind: 'heading', text: `${workflow}: ${setting}` },
    sentence(scalingInWords(one)),
    { kind: 'scaling', label: `Capacity over ${setting}, chart ${index + 1}: ${each}.`, points, law },
    {
      kind: 'table',
      label: `Capacities over ${setting}, ${index + 1}`,
      columns: ['Replicas', 'Capacity', 'Spread', 'Off the law by'],
      rows: points.map((point, nth) => [
        point.replicas,
        perSecond(point.rate),
        point.spread === null ? '–' : roughly(point.spread),
        residuals[nth] ? roughly(residuals[nth].share) : '–',
      ]),
      on: written,
    },
  ]
}
