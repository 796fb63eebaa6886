import type { Fleet, Size } from '../model/fleet.ts'
import type { Law } from '../model/scaling.ts'

/**
 * A report, made once and printed three times: on a terminal, as Markdown and as HTML. Its parts hold words and
 * figures, and no markup, but for commands between backticks. A printer leaves out what it cannot show: a chart has no
 * place on a terminal.
 */
export interface Document {
  /** The question of the run. */
  title: string
  profile: string
  /** Met, missed, unsure or not measured. */
  answered: Mark
  /** The answer, in a sentence. */
  verdict: string
  objective: string
  load: string
  /** What makes the figures worth less. */
  warnings: string[]
  /** The first screen of the page, beside the answer. */
  first: First
  /** The results in a few lines, for a terminal. */
  overview: { columns: string[]; rows: { cells: string[]; tone?: Tone }[]; notes: string[] }
  sections: Section[]
  /** The last words: what is recommended, or what would decide it. */
  end: { text: string; tone: Tone; command?: string }
}

export interface First {
  /** Above the question: the profile, when, for how long. */
  about: string[]
  /** A run that was cut short. */
  outcome: string | null
  /** Names that must not be broken at their hyphens. */
  whole: string[]
  /** A line with a mark and a link to its section. */
  marks: { mark: Mark; section: string; link: string; text: string }[]
  /** A figure for every workflow; none where the answer alone has the figures. */
  cards: Card[]
  /** All configurations on one axis of rates; null where nothing has a rate. */
  rates: Rates | null
  /** Latency over rate of what is told first. */
  curve: Block[]
  /** What an operator needs to sign for the answer. */
  facts: { what: string; text: string; command?: string }[]
}

/** One axis of requests a second: what is safe, where the capacity lies, and the rate that was asked for. */
export interface Rates {
  /** The end of the axis. */
  most: number
  asked: number | null
  rows: {
    name: string
    colour: number
    mark: Mark | null
    safe: number | null
    low: number | null
    high: number | null
    rate: number | null
    text: string
  }[]
}

export interface Card {
  title: string
  section: string
  figure: string | null
  tone?: Tone
  mark?: Mark
  notes: string[]
}

/** `none` is grey: it was not measured. */
export type Tone = 'good' | 'bad' | 'unsure' | 'none'

export interface Mark {
  word: string
  tone: Tone
}

export type Printer = 'terminal' | 'markdown' | 'html'

export interface Section {
  id: string
  title: string
  /** Folded under "Results" in Markdown: one of several workflows. */
  within?: string
  /** Evidence for the answer, and no part of it: it has less weight on the page, and none in print. */
  evidence?: true
  /** Absent: all of them. */
  on?: Printer[]
  blocks: Block[]
}

export type Block = { on?: Printer[] } & (
  | { kind: 'text'; text: string; weight?: 'sentence' | 'note'; whose?: string; tone?: Tone; command?: string }
  | { kind: 'heading'; text: string; id?: string }
  | { kind: 'list'; items: Item[] }
  | { kind: 'table'; label: string; columns: string[]; rows: (string | number)[][]; widths?: number[] }
  | { kind: 'code'; label: string; language: string; text: string }
  | { kind: 'facts'; rows: string[][] }
  | { kind: 'folded'; title: string; note?: string; open?: boolean; strong?: boolean; blocks: Block[] }
  | { kind: 'figure'; id: string; title?: string; label: string; caption?: string; small?: true; chart: Chart }
  | { kind: 'beside'; blocks: Block[] }
  | Bars
  | Matrix
  | Scaling
  | Steps
  | FleetSliders
)

export interface Item {
  text: string
  mark?: Mark
  note?: string
}

/** The capacities of several configurations, the widest bar for the highest. */
export interface Bars {
  kind: 'bars'
  rows: {
    name: string
    colour: number
    marks: Mark[]
    figure: string
    note: string
    value: number | null
    repeats: number[]
  }[]
}

/** A square for each pair of two settings. */
export interface Matrix {
  kind: 'matrix'
  label: string
  title: string
  corner: string
  across: string[]
  rows: { name: string; squares: Square[] }[]
}

export interface Square {
  text: string
  note?: string
  best?: boolean
  /** One to five, of those that hold. */
  shade: number | 'missed' | 'none'
}

/** Capacities over numbers of replicas, with the law through them. */
export interface Scaling {
  kind: 'scaling'
  label: string
  points: { replicas: number; rate: number; spread: number | null }[]
  law: Law | null
}

/** Sliders over a fleet, and what the capacity model says of it. */
export interface FleetSliders {
  kind: 'fleet'
  label: string
  fleet: Fleet
  size: Size
  rate: number
  /** Milliseconds. */
  objective: number
}

/** Every step of several results. */
export interface Steps {
  kind: 'steps'
  label: string
  columns: string[]
  groups: { name: string; rows: { warmUp: boolean; cells: StepCell[] }[] }[]
}

export interface StepCell {
  text: string
  state?: 'held' | 'broke' | 'spoiled'
  /** What a pointer on it tells. */
  more?: string
}

export type Chart = LatencyChart | TimeChart

/** Load against 95th percentile of latency, a series a configuration. */
export interface LatencyChart {
  kind: 'latency'
  xLabel: string
  /** Where one configuration sustains many times what another does, a linear axis hides the slow one. */
  logarithmicX: boolean
  objective: number
  series: Array<{
    name: string
    colour: number
    /** Where its capacity lies. */
    band?: { low: number; high: number }
    points: Array<{ x: number; y: number; state: StepState; onCurve: boolean; note: string }>
  }>
}

/** `spoiled`: it says nothing of n8n. */
export type StepState = 'held' | 'broke' | 'spoiled' | 'warm-up'

/** One measure of a result over time, a line a process. Times are seconds. */
export interface TimeChart {
  kind: 'time'
  unit: 'cores' | 'bytes' | 'executions' | 'requests a second' | 'milliseconds'
  limit: { value: number; label: string } | null
  lines: Array<{ name: string; colour: number; dashed: boolean; t: number[]; v: Array<number | null> }>
  steps: Array<{ from: number; to: number; state: StepState; label: string }>
  exits: Array<{ at: number; label: string }>
}

export const paragraph = (text: string, on?: Printer[]): Block => ({ kind: 'text', text, ...(on && { on }) })
export const sentence = (text: string): Block => ({ kind: 'text', weight: 'sentence', text })
export const note = (text: string): Block => ({ kind: 'text', weight: 'note', text })
export const bullets = (texts: string[]): Block => ({ kind: 'list', items: texts.map((text) => ({ text })) })
