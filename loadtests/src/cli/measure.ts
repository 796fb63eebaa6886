import { join, relative } from 'node:path'
import { summarise } from '../analyse/summarise.ts'
import type { Summary } from '../analyse/summary.ts'
import { errors, exitCodes, type ExitCode } from '../errors.ts'
import { paths } from '../paths.ts'
import { openRecorder } from '../record/ndjson.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'
import { run } from '../run.ts'
import { localTarget } from '../target/local/local.ts'
import { onInterrupt } from './interrupt.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { refuseBadValues } from './refuse.ts'
import { openTerminal } from './terminal.ts'

/** Runs an experiment, writes its report and says what came out. */
export async function measure(prepared: Prepared, options: CommonOptions, command: string): Promise<Summary> {
  await refuseBadValues(prepared)
  const { experiment, workflows } = prepared
  const now = new Date()
  const id = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}-${experiment.name}`
  const dir = options.out ?? join(paths.results, id)
  const recorder = await openRecorder(dir)
  const terminal = openTerminal(process.stderr)
  const interrupt = onInterrupt(() => terminal.say('Interrupted: taking everything down. What was measured is kept.'))
  terminal.say(`${experiment.name}: ${experiment.question}`)
  try {
    await run({ id, command, experiment, workflows, recorder, openTarget: localTarget, progress: terminal, signal: interrupt.signal })
  } finally {
    terminal.close()
    interrupt.release()
    await recorder.close()
  }
  const summary = summarise(recorder.records)
  await writeReport(dir, summary, recorder.records)
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
  else process.stdout.write(`${renderConsole(summary, { color: process.stdout.hasColors?.() ?? false })}\nReport: ${relative('.', join(dir, 'report.html'))}\n`)
  if (interrupt.signal.aborted) throw errors.interrupted()
  return summary
}

/** The exit code that the results in question amount to. */
export function exitCodeFor(results: Summary['results']): ExitCode {
  if (results.length === 0 || results.some(isInvalid)) return exitCodes.invalid
  return results.every(({ verdict }) => verdict.holds) ? exitCodes.met : exitCodes.missed
}

/** The generator's limit is not n8n's, even where n8n held everything up to it. */
function isInvalid({ verdict }: Summary['results'][number]): boolean {
  const codes = verdict.reasons.map(({ code }) => code)
  return codes[0] === 'generator-behind' || (!verdict.holds && (codes.includes('generator-behind') || codes.includes('never-ready')))
}
