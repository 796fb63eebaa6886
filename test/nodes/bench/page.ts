import type { Accuracy } from './accuracy.ts'
import { ROUNDS, type Overhead } from './overhead.ts'
import { COUNT } from './workflows.ts'

export interface Machine {
  cpu: string
  cores: number
  /** Its load average when the measurement began. */
  load: number
  commit: string
}

/** What Load Target has to keep to. */
const BOUNDS = { offBy: 0.05, ofCode: 0.5 }

const offBy = ({ told, got }: Accuracy) => got / told - 1
const ofCode = ({ loadTargetMs, codeMs }: Overhead) => loadTargetMs / codeMs

export function misses(accuracy: Accuracy[], overhead: Overhead[]): string[] {
  return [
    ...accuracy
      .filter((row) => !(Math.abs(offBy(row)) <= BOUNDS.offBy))
      .map(
        (row) =>
          `Expected ${row.operation} to be within ${percent(BOUNDS.offBy)} of ${row.told} ${row.unit} on `
          + `${row.version}, got ${row.got.toFixed(1)}`,
      ),
    ...overhead
      .filter((row) => !(row.codeMs > 0 && ofCode(row) <= BOUNDS.ofCode))
      .map(
        (row) =>
          `Expected Load Target to add at most half of what the Code node adds to a ${row.kind} on `
          + `${row.version}, got ${row.loadTargetMs.toFixed(1)} against ${row.codeMs.toFixed(1)} ms`,
      ),
  ]
}

export const render = (
  machine: Machine,
  accuracy: Accuracy[],
  overhead: Overhead[],
) => `# Evidence: how exact is Load Target?

For authors of load tests: Load Target does what it is told, and costs little beyond that.

    make bench-nodes

Commit ${machine.commit}, ${machine.cores} × ${machine.cpu}, load average ${machine.load.toFixed(2)} at the start.

## Accuracy

On real n8n-core. Time comes from the clock of the caller, CPU time of the main thread from the kernel (schedstat), \
and memory is the largest growth of the resident set. Time
and CPU time are net: an idle execution's are subtracted. \
Medians: of 31 executions for 10 ms, 9 for 100 ms, 3 for 1 s, one of 10 s, and 3 for memory.

${table(
  ['n8n', 'Operation', 'Told', 'Got', 'Off by'],
  accuracy.map((row) => [
    row.version,
    row.operation,
    `${row.told} ${row.unit}`,
    `${row.got.toFixed(1)} ${row.unit}`,
    percent(offBy(row), 1),
  ]),
)}

## Overhead

A webhook that answers with the last node's item, ${ROUNDS} requests one at a time, in turn with the others; \
medians in ms. The work is a wait, or to count to ${COUNT} (its time in the bare Node of that n8n). *Adds*
is the time beyond the webhook alone and beyond the work. \
n8n 2 runs with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE\` and an internal task runner, which runs the Code node. \
Both lines save no successful executions.

${table(
  ['n8n', 'Work', 'takes', 'Webhook alone', 'Load Target adds', 'Code adds', 'Load Target ÷ Code'],
  overhead.map((row) => [
    row.version,
    row.kind,
    ...[row.workMs, row.webhookMs, row.loadTargetMs, row.codeMs].map((ms) => ms.toFixed(1)),
    ofCode(row).toFixed(2),
  ]),
)}
`

const percent = (share: number, digits = 0) => `${(100 * share).toFixed(digits)} %`
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
