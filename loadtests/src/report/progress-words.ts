import { relative } from 'node:path'
import { count, duration, figure, list, memory, percent } from '../lib/figures.ts'
import { peakOf } from '../load/course.ts'
import type { EngineReason } from '../model/environment.ts'
import type { SeededHistory } from '../model/history.ts'
import type { PlannedStep } from '../model/step.ts'

type Shape = PlannedStep['shape']

/** What the user is told while a run goes on. `cell`: what is measured, as the user knows it. */
export const progressWords = {
  /** What is under way: each of these takes the place of the one before. */
  startsN8n: 'Starting n8n',
  executesEachOnce: 'Each workflow is executed once',
  executesFirst: 'The first executions',
  triesAgain: (tried: { workflow: string; node: string }[], number: number) =>
    `The first executions, try ${number + 1}: `
    + tried.map(({ workflow, node }) => `${workflow} without "${node}"`).join(', '),
  calibrates: 'Calibrating: a bare Node HTTP handler on n8n’s cores',
  takesDown: 'Taking everything down',
  installsChart: 'Installing the chart',
  awaitsPods: 'Waiting until every pod is ready',
  awaitsQuiet: (longest: number, busy: number, cores: number) =>
    `Waiting until this machine is quiet, for ${duration(longest)} at most: other programs keep ${figure(busy)} of its `
    + `${cores} cores busy`,
  pulls: (image: string) => `Pulling ${image}`,
  starts: (cell: string) => `${cell}: starting`,
  seedsHistory: (cell: string, seeded: number, of: number) =>
    `${cell}: a history of ${count(of)} executions, ${percent(Math.floor((10 * seeded) / of) / 10)}`,
  awaitsTurn: (cell: string) => `${cell}: waits for its turn`,
  worksOff: (cell: string, left: number) => `${cell}: n8n works off ${left} executions`,
  warmsUp: (cell: string) => `${cell}: warming up`,
  drives: (cell: string, shape: Shape) => `${cell}: ${shapeInWords(shape)}`,
  awaitsSchedules: (cell: string, begun: number, all: number) =>
    `${cell}: waits until n8n has begun each scheduled workflow once (${count(begun)} of ${count(all)})`,
  schedulesNotBegun: (cell: string, begun: number, all: number) =>
    `${cell}: n8n has begun ${count(begun)} of ${count(all)} scheduled workflows so far; the others count as missed.`,
  withoutEditors: (cell: string, shape: Shape) => `${cell}: ${shapeInWords(shape)}, before its editors are opened`,
  explains: (cell: string, shape: Shape) => `${cell}: explaining ${shapeInWords(shape)}`,
  underFault: (cell: string, doing: string) => `${cell}: ${doing}`,

  /** What stays. */
  takes: (engine: string, reason: EngineReason) => `n8n runs as ${engine}: ${engineReasonInWords(reason)}`,
  inCluster: (context: string, server: string) => `On the cluster of the context ${context} (${server})`,
  onOther: (url: string) => `On ${url}`,
  hasInferred: (file: string) =>
    `What is sent was inferred from the workflow: ${relative('.', file)} (correct it, and give it with --request)`,
  hasHistory: (cell: string, { executions, bytes, took }: SeededHistory) =>
    `${cell}: its database holds ${count(executions)} executions, ${memory(bytes)}, after ${duration(took * 1000)}`,
  takesNoTurns: (cells: number, needed: number, free: number) =>
    `! ${cells} n8n at once may need ${memory(needed)}, and ${memory(free)} are free: they are measured one after the `
    + 'other, so a machine that changes its pace counts as a difference.',
  /** Before anything is concluded. */
  first: (cell: string, full: string, edge: string) =>
    `${cell}: a first figure, while it warms up: ${full} when it is full, some ${edge} within the objective`,
  sustains: (cell: string, rate: string) => `${cell} sustains ${rate}`,
  holds: (share: string, seconds: number) => `  holding ${share}its safe rate for ${duration(seconds * 1000)}`,

  /** How far n8n is kept apart from this machine, where nobody asked for that. */
  containersNotSealed: 'Not sealed: n8n in containers reaches whatever this machine’s network reaches.',
  notSealed: (missing: string) =>
    'Not sealed: n8n reaches whatever this machine’s network and this user reach, since no namespaces can be made here '
    + `(${missing}).`,
  rootSealed: 'n8n runs as root, without a network: no other user can read this folder, or the cache with n8n.',
  noFolder: (where: string, reason: string) => `no folder could be made in ${where}, got ${reason}`,
}

/** Why n8n ran as what it did on this machine. */
export function engineReasonInWords({ code, names }: EngineReason): string {
  const named = list(names)
  return {
    asked: `${named} asks for it`,
    'has-all': `npm has n8n ${named}, and this machine all else that processes need`,
    'lacks-programs': `this machine has no ${named} for processes`,
    'not-in-npm': `npm has no n8n ${named} for processes`,
  }[code]
}

/** How much load there is. */
export function shapeInWords(shape: Shape): string {
  if (shape.kind === 'closed') return `${shape.vus} clients`
  return shape.kind === 'constant' ? `${shape.rate}/s` : `up to ${peakOf(shape)}/s`
}
