import { isValid } from '../judge/reasons.ts'
import { isStopped } from '../judge/verdict.ts'
import { tellOf } from '../judge/tries.ts'
import { figure, latency, nameOf, perSecond } from '../lib/figures.ts'
import type { RunRecord } from '../model/record.ts'
import type { Step } from '../model/step.ts'
import { short } from '../report/reason-words.ts'
import type { Progress } from '../run/context.ts'

/** On a terminal one line replaces itself, and the steps are a table that grows; elsewhere each is a plain line. */
export interface Terminal extends Progress {
  recorded(record: RunRecord): void
  close(): void
}

export function openTerminal(stream: NodeJS.WriteStream): Terminal {
  return stream.isTTY ? interactive(stream) : plain(stream)
}

function plain(stream: NodeJS.WriteStream): Terminal {
  let last = ''
  const print = (line: string) => {
    if (line !== last) stream.write(`${line}\n`)
    last = line
  }
  const recorded = onStep((name, step) => print(`  ${name}: ${outcome(step)}`))
  return {
    say: print,
    doing: (text) => print(`… ${text}`),
    left: (seconds) => print(`  ${inWords(seconds)}`),
    recorded,
    close() {},
  }
}

function interactive(stream: NodeJS.WriteStream): Terminal {
  let current = ''
  let since = Date.now()
  let end: number | null = null
  const draw = () => {
    if (current === '') return
    const seconds = Math.floor((Date.now() - since) / 1000)
    const left = end === null ? '' : ` · ${inWords(Math.max(0, end - Date.now()) / 1000)}`
    stream.write(`\r\x1b[K${`${current} ${seconds} s${left}`.slice(0, stream.columns - 1)}`)
  }
  const clear = () => stream.write('\r\x1b[K')
  const timer = setInterval(draw, 1000)
  const say = (line: string) => {
    clear()
    stream.write(`${line}\n`)
    draw()
  }
  let above = ''
  return {
    say,
    doing(text) {
      if (text !== current) since = Date.now()
      current = text
      draw()
    },
    left(seconds) {
      end = Date.now() + seconds * 1000
      draw()
    },
    recorded: onStep((name, step, objective) => {
      if (name !== above) say(`  ${name}\n${head}`)
      above = name
      say(row(step, objective).slice(0, stream.columns - 1))
    }),
    close() {
      clearInterval(timer)
      clear()
    },
  }
}

/** No more exact than it is known. */
const inWords = (seconds: number) =>
  seconds < 50 ? 'less than a minute left' : `about ${Math.round(seconds / 60) || 1} min left`

/** Calls with each measured step, the name of what it measured, and the objective of p95. */
function onStep(told: (name: string, step: Step, objective: number) => void): Terminal['recorded'] {
  const names = new Map<number, string>()
  let objective = Infinity
  return (record) => {
    if (record.type === 'run') objective = record.experiment.slo.p95
    if (record.type === 'cell')
      names.set(record.cell, `${record.workflow} on ${nameOf({ variant: record.variant, cell: record.matrix })}`)
    if (record.type !== 'step' && record.type !== 'held') return
    if (record.purpose === 'measure' || isStopped(record)) told(names.get(record.cell)!, record, objective)
  }
}

const loadOf = ({ rate: asked, vus }: Step['load']) =>
  asked === null ? `${figure(vus ?? 0)} clients` : perSecond(asked)

function outcome(step: Step): string {
  const { load, holds, reasons } = step
  const p95 = load.latency ? `p95 ${Math.round(load.latency.p95)} ms` : 'no answers'
  const asked = load.rate === null ? `${load.vus} clients, ${load.throughput.toFixed(1)}/s` : `${load.rate}/s`
  const sure = isSure(step) ? '' : ' (unsure: too few answers)'
  const told = holds ? 'holds' : isValid(step) ? 'does not hold' : 'tells nothing'
  return `${asked} ${told}${sure}, ${p95}${holds ? '' : `: ${reasons[0]!.text}`}`
}

const isSure = ({ holds, reasons, lateness }: Step) => !lateness || tellOf([{ holds, reasons, lateness }]).sure

/** A full bar is the objective of p95. */
const barWidth = 12
const widths = { load: 12, answered: 11, p95: 9 }
const head = [
  `  ${'load'.padStart(widths.load)}`,
  'answered'.padStart(widths.answered),
  'p95'.padStart(widths.p95),
  `  ${'of objective'.padEnd(barWidth)}`,
  '  verdict',
].join('')

function row(step: Step, objective: number): string {
  const { load, holds, reasons } = step
  const p95 = load.latency?.p95
  const filled = p95 === undefined ? 0 : Math.min(barWidth, Math.round((barWidth * p95) / objective))
  const verdict = holds
    ? 'held'
    : `${isValid(step) ? 'missed' : 'tells nothing'}: ${reasons.map(({ code }) => short(code)).join(', ')}`
  return [
    `  ${loadOf(load).padStart(widths.load)}`,
    perSecond(load.throughput).padStart(widths.answered),
    (p95 === undefined ? '–' : latency(p95)).padStart(widths.p95),
    `  ${'█'.repeat(filled).padEnd(barWidth, '·')}`,
    `  ${verdict}${isSure(step) ? '' : ' (unsure: too few answers)'}`,
  ].join('')
}
