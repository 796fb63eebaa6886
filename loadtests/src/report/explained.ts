import type { DearFunction, ExplainedProcess, Explanation } from '../model/explanation.ts'
import { figure, nameOf, perSecond } from '../lib/figures.ts'
import { note, type Block, type Printer, type Section } from './document.ts'
import type { Page } from './page.ts'

const written: Printer[] = ['markdown', 'html']

/** The functions that took most of each process's time. */
export function explained({ summary: { results } }: Page): Section | null {
  const told = results.flatMap(({ explanation, ...result }) =>
    explanation ? [{ explanation, of: `${result.workflow} on ${nameOf(result)}` }] : [],
  )
  if (told.length === 0) return null
  return {
    id: 'explained',
    title: 'Where the CPU time goes',
    evidence: true,
    on: ['terminal', 'markdown', 'html'],
    blocks: [
      ...told.flatMap(({ explanation, of }): Block[] => [
        { kind: 'heading', text: of },
        { ...note(aboutProfile(explanation)), on: written },
        ...inShort(explanation, results.length > 1 ? `${of}: ` : ''),
        ...explanation.processes.map((process) => functions(process, `${process.process}, ${of}`)),
      ]),
      { ...note(wholeProfile), on: written },
    ],
  }
}

/** On a terminal, the first of them. */
const inShort = (explanation: Explanation, of: string): Block[] => [
  { kind: 'text', text: `${of}${aboutProfile(explanation)}`, on: ['terminal'] },
  {
    kind: 'code',
    label: '',
    language: '',
    text: [
      ...explanation.processes.flatMap((process) => [
        `${process.process}: ${usedBy(process)}`,
        ...process.functions
          .slice(0, 5)
          .map(({ name, where, share }) => `  ${wholePercent(share).padStart(5)}  ${`${name} ${where}`.trim()}`),
      ]),
      wholeProfile,
    ].join('\n'),
    on: ['terminal'],
  },
]

const functions = (process: ExplainedProcess, label: string): Block => ({
  kind: 'folded',
  title: process.process,
  note: usedBy(process),
  strong: true,
  on: written,
  blocks: [
    {
      kind: 'table',
      label: `The dearest functions of ${label}`,
      columns: ['Function', 'Where', 'Share'],
      rows: process.functions.map(dearRow),
    },
  ],
})

/** A sampled share, to a whole percent. */
const wholePercent = (share: number): string => `${Math.round(share * 100)} %`

/** What a process used; isolates of expressions and SQLite work outside its main thread. */
function usedBy({ elapsed, cpu, idle }: ExplainedProcess): string {
  return `${figure(cpu / elapsed)} cores, ${figure(1 - idle)} of them on its main thread`
}

/** When n8n was profiled, and where the whole profile is. */
const aboutProfile = ({ rate }: Explanation): string =>
  `Under V8’s profiler${rate === null ? '' : ` at ${perSecond(rate)}`}; shares are of the time in which the main `
  + 'thread worked.'

const wholeProfile = 'The whole profiles are in the run’s folder, under profiles; Chrome’s DevTools open them.'

const dearRow = ({ name, where, share }: DearFunction): string[] => [name, where || '–', wholePercent(share)]
