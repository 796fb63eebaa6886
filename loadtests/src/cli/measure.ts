import { join, relative } from 'node:path'
import { summarise } from '../analyse/summarise.ts'
import type { GateOrder, ReasonCode, Summary } from '../analyse/summary.ts'
import { exitCodes, type ExitCode } from '../errors.ts'
import type { Experiment } from '../profile/experiment.ts'
import { openRecorder, readRecords, reopenRecorder, type Recorder } from '../record/ndjson.ts'
import { openStore } from '../record/s3.ts'
import { withoutSecrets } from '../record/secrets.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'
import { remaining, untilEnough } from '../run/enough.ts'
import { runErrors } from '../run/errors.ts'
import { run } from '../run/run.ts'
import { everyCell, type Schedule } from '../run/schedule.ts'
import type { Fault } from '../shared/faults.ts'
import { paths } from '../support/paths.ts'
import { chooseTarget } from './choose-target.ts'
import { onInterrupt } from './interrupt.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { refuseBadValues } from './refuse.ts'
import { openTerminal } from './terminal.ts'
import { verbErrors } from './verb-errors.ts'

/** The plan for an experiment. */
interface Way {
  schedule?: Schedule
  /** Every cell needs a price. */
  priced?: boolean
  /** What to compare the result with. */
  gate?: GateOrder
  /** The faults under the load. */
  faults?: Fault[]
}

/** Runs an experiment, writes its report and prints the result. */
export async function measure(
  prepared: Prepared,
  options: CommonOptions,
  command: string,
  { schedule = prepared.experiment.enough ? untilEnough : everyCell, priced, gate, faults }: Way = {},
): Promise<Summary> {
  if (!(options.target instanceof URL))
    await refuseBadValues(prepared, {
      priced,
      asProcesses: options.target === 'local' && options.engine !== 'container',
    })
  const store = options.record === undefined ? undefined : openStore(options.record)
  await store?.check()
  const { workflows, credentials } = prepared
  const { openTarget, label, where, plan, experiment = prepared.experiment } = await chooseTarget(options, prepared)
  const id = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${experiment.name}`
  const recorder = options.resume
    ? await goOn(options.resume, experiment)
    : await openRecorder(options.out ?? join(paths.results, id))
  const { dir } = recorder
  const terminal = openTerminal(process.stderr)
  const interrupt = onInterrupt(
    () => terminal.say('Interrupted: taking everything down. What was measured is kept. Once more ends it at once.'),
    endAtOnce,
  )
  terminal.say(`${experiment.name}: ${experiment.question}`)
  if (label) terminal.say(label)
  try {
    await run({
      id,
      command,
      experiment,
      workflows,
      credentials,
      recorder,
      schedule,
      remaining: schedule === everyCell || schedule === untilEnough ? remaining : undefined,
      gate,
      explain: options.explain,
      faults,
      remoteWrite: options.remoteWrite?.href,
      where,
      plan,
      openTarget,
      progress: terminal,
      signal: interrupt.signal,
    })
  } finally {
    terminal.close()
    interrupt.release()
    await recorder.close()
  }
  const summary = summarise(recorder.records)
  await writeReport(dir, summary, recorder.records)
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
  else
    process.stdout.write(
      `${renderConsole(summary, { color: process.stdout.hasColors?.() ?? false })}\nReport: `
        + `${relative('.', join(dir, 'report.html'))}\n`,
    )
  if (store) process.stderr.write(`Copied to ${await store.take(dir)}\n`)
  if (interrupt.signal.aborted) throw runErrors.interrupted()
  return summary
}

/** Ends the processes that the run started: their keepers end them when this process exits. */
function endAtOnce(): never {
  process.stderr.write('\nEnded at once. `n8n-tuned report` makes a report of what was measured.\n')
  process.exit(exitCodes.failure)
}

async function goOn(dir: string, experiment: Experiment): Promise<Recorder> {
  const [first] = await readRecords(dir)
  if (first?.type !== 'run' || JSON.stringify(first.experiment) !== JSON.stringify(withoutSecrets(experiment)))
    throw verbErrors.otherExperiment(dir)
  return reopenRecorder(dir)
}

/** The exit code for the given results. */
export function exitCodeFor(results: Summary['results']): ExitCode {
  if (results.length === 0 || results.some(isInvalid)) return exitCodes.invalid
  return results.every(({ verdict }) => verdict.holds) ? exitCodes.met : exitCodes.missed
}

/** Reasons after which a result says nothing about n8n under load. */
const saysNothing = new Set<ReasonCode>(['generator-behind', 'too-short', 'too-few', 'never-ready'])

/** The generator's limit is not n8n's, even if n8n held every rate up to it. */
function isInvalid({ verdict }: Summary['results'][number]): boolean {
  const codes = verdict.reasons.map(({ code }) => code)
  return codes[0] === 'generator-behind' || (!verdict.holds && codes.some((code) => saysNothing.has(code)))
}
