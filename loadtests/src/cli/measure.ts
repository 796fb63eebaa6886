import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import { summarise } from '../judge/summarise.ts'
import type { Summary } from '../model/summary.ts'
import { exitCodes, LabError, type ExitCode } from '../lib/errors.ts'
import { renderConsole } from '../report/console.ts'
import { writeReport } from '../report/write.ts'
import { remaining, untilEnough } from '../run/enough.ts'
import { runErrors } from '../run/errors.ts'
import type { RunOrder } from '../run/order.ts'
import { isInterruption, run } from '../run/run.ts'
import { shown } from '../secret/known.ts'
import { everyCell, type Schedule } from '../run/schedule.ts'
import { writtenExperiment } from '../secret/written.ts'
import type { Fault } from '../fault/faults.ts'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import type { Fail } from '../lib/fail.ts'
import { paths } from '../lib/paths.ts'
import { canOwnNetwork } from '../targets/local/network.ts'
import { chooseTarget } from './choose-target.ts'
import { agree } from './confirm.ts'
import { onInterrupt } from './interrupt.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { reachOf } from './reach.ts'
import { refuseBadValues } from './refuse.ts'
import { openTerminal } from './terminal.ts'
import { verbErrors } from './verb-errors.ts'
import type { GateAsked } from '../model/gate.ts'
import type { ReasonCode } from '../model/step.ts'
import type { Experiment } from '../model/experiment.ts'
import { openRecorder, readRecords, type Recorder, reopenRecorder } from '../model/record-file.ts'
import type { RunRecord } from '../model/record.ts'
import { openStore } from '../lib/s3.ts'

/** The plan for an experiment. */
interface Way {
  schedule?: Schedule
  /** Every cell needs a price. */
  priced?: boolean
  /** What to compare the result with. */
  gate?: GateAsked
  /** The faults under the load. */
  faults?: Fault[]
}

/** Runs an experiment, writes its report and prints the result. */
export async function measure(
  prepared: Prepared,
  options: CommonOptions,
  command: string,
  { schedule = prepared.experiment.enough ? untilEnough : everyCell, priced, gate, faults = [] }: Way = {},
): Promise<Summary> {
  const asProcesses = options.target === 'local' && options.engine !== 'container'
  const plans = options.target instanceof URL ? [] : await refuseBadValues(prepared, { priced, asProcesses })
  const store = options.record === undefined ? undefined : openStore(options.record)
  const { workflows, credentials } = prepared
  const chosen = await chooseTarget(options, prepared)
  const { openTarget, label, cluster, look, plan, experiment = prepared.experiment } = chosen
  for (const warning of workflows.flatMap(({ warnings }) => warnings)) process.stderr.write(`! ${warning}\n`)
  const canSeal = asProcesses && (await canOwnNetwork())
  await agree(reachOf(options, prepared, { cluster, plans, faults, canSeal }), options.yes)
  await store?.check()
  await look?.()
  const where = await chosen.where?.()
  const id = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${experiment.name}`
  const terminal = openTerminal(process.stderr)
  const interrupt = onInterrupt(
    () => terminal.say('Interrupted: taking everything down. What was measured is kept. Once more ends it at once.'),
    endAtOnce,
  )
  try {
    const recorder = options.resume
      ? await goOn(options.resume, experiment, interrupt.fail)
      : await openRecorder(options.out ?? join(paths.results, id), interrupt.fail)
    const { dir } = recorder
    terminal.say(`${experiment.name}: ${experiment.question}`)
    if (label) terminal.say(label)
    const order: RunOrder = {
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
      fail: interrupt.fail,
    }
    // However it ended, there is a report of what was measured.
    const error = await run(order)
      .finally(() => recorder.close())
      .then(
        () => (interrupt.signal.aborted ? interrupt.signal.reason : null),
        (thrown: unknown) => thrown,
      )
    const failure = error === null || isInterruption(error) ? null : asLabError(error, dir)
    terminal.close()
    const summary = await reportOf(recorder, options, failure)
    if (failure) throw failure
    if (store) process.stderr.write(`Copied to ${await store.take(dir)}\n`)
    if (interrupt.signal.aborted || !summary) throw runErrors.interrupted(recorder.records.some(isMeasured))
    return summary
  } finally {
    terminal.close()
    interrupt.release()
  }
}

const isMeasured = ({ type }: RunRecord) => ['step', 'cell-failed', 'held', 'fault'].includes(type)

/** Writes the report of what was measured, and prints it; null where the run ended before it began. */
async function reportOf(
  { dir, records }: Recorder,
  { json }: Pick<CommonOptions, 'json'>,
  failure: LabError | null,
): Promise<Summary | null> {
  if (records[0]?.type !== 'run') return null
  const summary = summarise(records)
  const unwritten = await writeReport(dir, summary, records).then(
    () => null,
    (error) => asLabError(error, dir),
  )
  if (records.some(isMeasured)) {
    const words = renderConsole(summary, { color: process.stdout.hasColors?.() ?? false })
    const report = unwritten ? '' : `Report: ${relative('.', join(dir, 'report.html'))}\n`
    process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : `${words}\n${report}`)
  }
  // The run may have ended for the same reason, which is told once.
  if (unwritten && !failure) throw unwritten
  return summary
}

/** What nothing in the lab expected is a defect, whose details go into a file of the run. */
function asLabError(error: unknown, dir: string): LabError {
  if (error instanceof LabError) return error
  if (isDiskFull(error)) return diskFull(error.path ?? dir)
  const [said, details] = error instanceof Error ? [error.message, error.stack!] : [String(error), inspect(error)]
  const file = join(dir, 'defect.txt')
  try {
    writeFileSync(file, `${shown(details)}\n`)
    return runErrors.defect(shown(said), `the file ${relative('.', file)}`)
  } catch {
    return runErrors.defect(shown(said), 'the lines above', shown(details).split('\n'))
  }
}

/** Ends the processes that the run started: their keepers end them when this process exits. */
function endAtOnce(): never {
  process.stderr.write('\nEnded at once. `n8n-tuned report` makes a report of what was measured.\n')
  process.exit(exitCodes.failure)
}

async function goOn(dir: string, experiment: Experiment, fail: Fail): Promise<Recorder> {
  const [first] = await readRecords(dir)
  if (first?.type !== 'run' || JSON.stringify(first.experiment) !== JSON.stringify(writtenExperiment(experiment)))
    throw verbErrors.otherExperiment(dir)
  return reopenRecorder(dir, fail)
}

/** The exit code for the given results. One that chance may have decided is neither met nor missed. */
export function exitCodeFor(results: Summary['results']): ExitCode {
  if (results.length === 0 || results.some(isInvalid) || results.some(isUnsure)) return exitCodes.invalid
  return results.every(({ verdict }) => verdict.holds) ? exitCodes.met : exitCodes.missed
}

const isUnsure = ({ verdict }: Summary['results'][number]) => (verdict.unsure ?? []).length > 0

/** Reasons after which a result says nothing about n8n under load. */
const saysNothing = new Set<ReasonCode>(['generator-behind', 'too-short', 'too-few', 'never-ready'])

/** The generator's limit is not n8n's, even if n8n held every rate up to it. */
function isInvalid({ verdict }: Summary['results'][number]): boolean {
  const codes = verdict.reasons.map(({ code }) => code)
  return codes[0] === 'generator-behind' || (!verdict.holds && codes.some((code) => saysNothing.has(code)))
}
