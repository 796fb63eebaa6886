import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, interrupted, usage, type ExitCode } from '../lib/errors.ts'
import { list } from '../lib/figures.ts'
import type { OutsideCount } from '../model/outside.ts'
import { planCells } from '../run/cells.ts'
import { dryRun, type DryRun } from '../run/dry-run.ts'
import { isInterruption } from '../run/run.ts'
import { printable } from '../lib/printable.ts'
import { bridgeInWords } from '../report/bridge-words.ts'
import { setAsideLines } from '../report/set-aside.ts'
import { shown } from '../secret/known.ts'
import { agreeToAll, sayWhatIsOpen } from './agree-to-all.ts'
import { chooseTarget } from './choose-target.ts'
import { onInterrupt } from './interrupt.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { openTerminal } from './terminal.ts'

/** Executes each workflow once, and prints what each of its nodes did. Nothing is measured. */
export async function runDry(prepared: Prepared, options: CommonOptions): Promise<ExitCode> {
  if (options.target !== 'local')
    throw usage(
      'dry-run-elsewhere',
      `--dry-run: Expected an n8n on this machine, got --target ${String(options.target)}.`,
      'Leave --target out: a dry run executes each workflow once, with external services mocked.',
    )
  const { experiment, workflows, locate, credentials } = prepared
  const chosen = await chooseTarget(options, prepared)
  await sayWhatIsOpen(chosen)
  // All workflows on one n8n, as in a mix.
  const atOnce = { shape: 'mixed', weights: {}, rate: 1, duration: 1, timeout: experiment.load.timeout } as const
  const cells = await planCells({
    experiment: { ...experiment, load: atOnce, variants: experiment.variants.slice(0, 1), matrix: {} },
    workflows,
    locate,
    where: { images: chosen.images },
  })
  await agreeToAll(
    options,
    prepared,
    chosen,
    cells.map(({ plan }) => plan),
  )
  const progress = openTerminal(process.stderr)
  for (const line of setAsideLines(cells[0]!.setAside)) progress.say(line)
  const interrupt = onInterrupt(
    () => progress.say('Interrupted: taking everything down.'),
    (exit) => process.exit(exit),
  )
  const logs = await mkdtemp(join(tmpdir(), 'n8n-tuned-dry-'))
  try {
    const target = await chosen.openTarget(interrupt.fail)
    try {
      const { signal } = interrupt
      const { runs, outside } = await dryRun(cells[0]!, {
        target,
        credentials,
        logs,
        progress,
        signal,
        strict: options.strict,
      })
      progress.close()
      const lines = [...runs.flatMap(linesOf), ...callsOf(outside)]
      process.stdout.write(`${lines.map((line) => printable(shown(line))).join('\n')}\n`)
      return runs.some(({ refusal }) => refusal) ? exitCodes.invalid : exitCodes.met
    } finally {
      await target.close()
    }
  } catch (error) {
    if (isInterruption(error)) throw interrupted('Interrupted: nothing was executed to its end.', interrupt.exit())
    throw error
  } finally {
    progress.close()
    interrupt.release()
    await rm(logs, { recursive: true })
  }
}

function linesOf({ workflow, nodes, ran, executions, refusal, made, untaken, bridges }: DryRun): string[] {
  const did = new Map(executions?.flatMap((one) => one.nodes.map((node) => [node.name, node] as const)))
  return [
    '',
    `${workflow}: ${ran.length} of ${nodes.length} nodes ran`,
    ...(made?.said ?? []).map((text) => `  made up: ${text}`),
    ...(made?.requests ? [`  sent: ${cut(JSON.stringify(made.requests), 300)}`] : []),
    ...nodes.map((name) => {
      const node = did.get(name)
      if (!node) return `  ·  ${name}: not run`
      const items = node.items.reduce((sum, one) => sum + one, 0)
      if (node.error !== null) return `  ✗  ${name}: ${node.error}`
      const got = cut(JSON.stringify(node.first), 120)
      return `  ✓  ${name}: ${items} item${items === 1 ? '' : 's'}, ${node.took} ms  ${got}`
    }),
    ...bridges.map((bridge) => `  bridged: ${bridgeInWords(bridge)}`),
    ...(untaken.length ? [`  not taken: ${list(untaken)}`] : []),
    ...(refusal ? [`  ${refusal.message}`, `  Fix: ${refusal.hint}`] : []),
  ]
}

/** Each kind of call to a service, with how its answer was found. */
function callsOf(outside: OutsideCount | null): string[] {
  if (!outside?.calls.length) return []
  const how = { answered: 'known', guessed: 'guessed', passed: 'the real service', refused: 'refused' }
  return [
    '',
    'Calls to services:',
    ...outside.calls.map(
      ({ method, host, path, outcome, count }) => `  ${how[outcome]}: ${method} ${host}${path} (${count})`,
    ),
  ]
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)
