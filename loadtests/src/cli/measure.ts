import { join, relative } from 'node:path'
import { summarise } from '../analyse/summarise.ts'
import type { Summary } from '../analyse/summary.ts'
import { errors, exitCodes, type ExitCode } from '../errors.ts'
import { paths } from '../paths.ts'
import { openRecorder } from '../record/ndjson.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'
import { run } from '../run.ts'
import { choosePlace } from './place.ts'
import { onInterrupt } from './interrupt.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { refuseBadValues } from './refuse.ts'
import { openTerminal } from './terminal.ts'

/** Runs an experiment, writes its report and says what came out. */
export async function measure(prepared: Prepared, options: CommonOptions, command: string): Promise<Summary> {
  if (!(options.target instanceof URL)) await refuseBadValues(prepared)
  const { workflows } = prepared
  const { openTarget, label, plan, experiment = prepared.experiment } = await choosePlace(options, prepared)
  const now = new Date()
  const id = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}-${experiment.name}`
  const dir = options.out ?? join(paths.results, id)
  const recorder = await openRecorder(dir)
  const terminal = openTerminal(process.stderr)
  const interrupt = onInterrupt(() => terminal.say('Interrupted: taking everything down. What was measured is kept.'))
  terminal.say(`${experiment.name}: ${experiment.question}`)
  if (label) terminal.say(label)
  try {
    await run({ id, command, experiment, workflows, recorder, plan, openTarget, progress: terminal, signal: interrupt.signal })
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
  if (results.length > 0 && results.every(({ verdict }) => verdict.holds)) return exitCodes.met
  const invalid = results.some(({ verdict }) => !verdict.holds && verdict.reasons.some(({ code }) => code === 'generator-behind' || code === 'never-ready'))
  return invalid || results.length === 0 ? exitCodes.invalid : exitCodes.missed
}
