import { writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { summarise } from '../judge/summarise.ts'
import type { Summary } from '../model/summary.ts'
import { locationText, exitCodes, interrupted, type ExitCode, LabError, usage } from '../lib/errors.ts'
import { worded } from '../report/worded.ts'
import { renderConsole } from '../report/render.ts'
import { writeIndex } from '../report/history.ts'
import { writeReport } from '../report/write.ts'
import { planCells, type Cell } from '../run/cells.ts'
import type { Progress, RunOptions } from '../run/context.ts'
import { untilEnough } from '../run/enough.ts'
import { secondsLeft } from '../run/left.ts'
import { isInterruption, run } from '../run/run.ts'
import { everyCell, type Schedule } from '../run/schedule.ts'
import { commandLine } from '../secret/arguments.ts'
import { shown } from '../secret/known.ts'
import { writtenExperiment } from '../secret/written.ts'
import type { Fault } from '../fault/faults.ts'
import { reasonOf } from '../lib/await.ts'
import { diskFull, isDiskFull } from '../lib/disk.ts'
import type { Fail } from '../lib/repeat.ts'
import { paths, typed } from '../lib/paths.ts'
import { refusalOfN8n } from '../n8n/install.ts'
import { chooseTarget } from './choose-target.ts'
import { agreeToAll, sayWhatIsOpen } from './agree-to-all.ts'
import { onInterrupt } from './interrupt.ts'
import { printJson } from './json.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { openLive, type Live } from './live.ts'
import { openTerminal } from './terminal.ts'
import type { GateAsked } from '../model/gate.ts'
import type { Experiment } from '../model/experiment.ts'
import type { RunRecord } from '../model/record.ts'
import { openStore } from '../lib/s3.ts'
import { openRecorder, readRecords, reopenRecorder, type OnRecord, type Recorder } from '../run/record-file.ts'

/** The plan for an experiment. */
interface Way {
  schedule?: Schedule
  /** Every cell needs a price. */
  priced?: boolean
  /** As `RunOptions` says. */
  filled?: boolean
  /** What to compare the result with. */
  gate?: GateAsked
  /** The faults under the load. */
  faults?: Fault[]
  /** Where the result is printed. */
  out?: NodeJS.WriteStream
}

/** Runs an experiment, writes its report and prints the result. */
export async function measure(
  prepared: Prepared,
  options: CommonOptions,
  {
    schedule = prepared.experiment.enough ? untilEnough : everyCell,
    priced,
    filled,
    gate,
    faults = [],
    out = process.stdout,
  }: Way = {},
): Promise<Summary> {
  const store = options.record === undefined ? undefined : openStore(options.record)
  const { workflows, credentials, locate } = prepared
  const chosen = await chooseTarget(options, prepared)
  const { openTarget, look, plan, images, experiment = prepared.experiment } = chosen
  const asked = { experiment, workflows, plan, locate, priced }
  await sayWhatIsOpen(chosen)
  let cells = await planCells({ ...asked, where: { images } })
  if (prepared.engine?.runtime === null) await refuseUnknownVersions(cells, prepared)
  for (const warning of workflows.flatMap(({ warnings }) => warnings)) process.stderr.write(`! ${warning}\n`)
  const plans = plan ? [] : cells.map((cell) => cell.plan)
  await agreeToAll(options, prepared, chosen, plans, faults)
  await store?.check()
  await look?.()
  const where = await chosen.where?.()
  // Images that cannot be had there have others in their place.
  if (where?.missing?.length) cells = await planCells({ ...asked, where })
  // A folder that the lab has named names the run.
  const id =
    options.out !== undefined && dirname(options.out) === paths.results
      ? basename(options.out)
      : `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${experiment.name}`
  const terminal = openTerminal(process.stderr)
  let live: Live | null = null
  // What the run tells has two readers: the terminal and the live page.
  const progress: Progress = {
    say: terminal.say,
    doing(text) {
      terminal.doing(text)
      live?.doing(text)
    },
    left(seconds) {
      terminal.left(seconds)
      live?.left(seconds)
    },
  }
  const onRecord: OnRecord = (record) => {
    terminal.recorded(record)
    live?.recorded(record)
  }
  const interrupt = onInterrupt(
    () => progress.say('Interrupted: taking everything down. What was measured is kept. Once more ends it at once.'),
    endAtOnce,
  )
  const { signal, fail } = interrupt
  try {
    const record = options.resume
      ? await goOn(options.resume, experiment, fail, onRecord)
      : await openRecorder(options.out ?? join(paths.results, id), fail, onRecord)
    if (options.live ?? isWatched()) {
      live = await openLive({
        experiment,
        planned: cells.map(({ number, variant, traffic, matrix }) => ({
          cell: number,
          variant,
          workflow: traffic.name,
          matrix,
        })),
        onFailure: (text) => terminal.say(`! ${text}`),
      })
      terminal.say(`Live: ${live.url}`)
    }
    for (const earlier of record.records) {
      live?.recorded(earlier)
      if (earlier.type === 'run') terminal.recorded(earlier)
    }
    progress.say(`${experiment.name}: ${experiment.question}`)
    const runOptions: RunOptions = {
      id,
      command: commandLine(process.argv.slice(2)),
      schedule,
      secondsLeft: schedule === everyCell || schedule === untilEnough ? secondsLeft : undefined,
      whenQuiet: options.whenQuiet,
      filled,
      gate,
      explain: options.explain,
      faults,
      credentials,
      ...(options.strict && { strict: true }),
      remoteWrite: options.remoteWrite?.href,
    }
    // However it ended, there is a report of what was measured.
    const error = await run({ experiment, cells, options: runOptions, record, progress, signal, fail }, openTarget)
      .finally(() => record.close())
      .then(
        () => (signal.aborted ? signal.reason : null),
        (thrown: unknown) => thrown,
      )
    const failed = error === null || isInterruption(error) ? null : asLabError(error, record.dir)
    terminal.close()
    const summary = await reportOf(record, options, out, failed)
    await live?.close(summary && join(record.dir, 'report.html'))
    if (failed) throw failed
    if (store) process.stderr.write(`Copied to ${await store.take(record.dir)}\n`)
    if (signal.aborted || !summary) {
      const kept = record.records.some(isMeasured)
      throw interrupted(
        kept ? 'Interrupted: what was measured until now is kept.' : 'Interrupted: nothing was measured yet.',
        interrupt.exit(),
      )
    }
    return summary
  } finally {
    terminal.close()
    await live?.close(null)
    interrupt.release()
  }
}

/** Somebody sits at a terminal who can open the page. */
const isWatched = () => process.stderr.isTTY === true && !process.env.CI

/** An n8n that cannot be installed on this machine is refused where the user named it. */
async function refuseUnknownVersions(cells: Cell[], { locate }: Prepared): Promise<void> {
  const known = new Set<string>()
  for (const { plan, variant } of cells)
    for (const { repository, tag } of plan.workloads.flatMap(({ containers }) =>
      containers.map(({ image }) => image),
    )) {
      if (repository.split('/').at(-1) !== 'n8n' || known.has(tag)) continue
      const refusal = await refusalOfN8n(tag, (line) => void process.stderr.write(`${line}\n`))
      const place = locate(['image', 'tag'], variant) ?? locate([], variant)!
      if (refusal)
        throw usage(
          'unknown-version',
          `${locationText(place)}: image.tag: ${refusal}`,
          'Set another, or run its image: --engine container, or --target kubernetes.',
        )
      known.add(tag)
    }
}

const isMeasured = ({ type }: RunRecord) => ['step', 'cell-failed', 'held', 'fault'].includes(type)

/** Writes the report of what was measured, and prints it; null where the run ended before it began. */
async function reportOf(
  { dir, records }: Recorder,
  { json }: Pick<CommonOptions, 'json'>,
  out: NodeJS.WriteStream,
  failed: LabError | null,
): Promise<Summary | null> {
  if (records[0]?.type !== 'run') return null
  const summary = summarise(records)
  const unwritten = await writeAll(dir, summary, records).then(
    () => null,
    (error) => asLabError(error, dir),
  )
  if (records.some(isMeasured)) {
    const words = renderConsole(summary, { color: out.hasColors?.() ?? false })
    const report = unwritten ? '' : `Report: ${relative('.', join(dir, 'report.html'))}\n`
    if (json) printJson(worded(summary))
    else out.write(`${report}${words}\n`)
  }
  // The run may have ended for the same reason, which is told once.
  if (unwritten && !failed) throw unwritten
  return summary
}

/** A folder that the user named may lie among things that are not the lab’s: no index is written beside it. */
async function writeAll(dir: string, summary: Summary, records: RunRecord[]): Promise<void> {
  await writeReport(dir, summary, records)
  if (dirname(resolve(dir)) !== resolve(paths.results)) return
  // What is wrong with an earlier run is not this run's failure.
  await writeIndex(paths.results).catch((error: unknown) => {
    process.stderr.write(`${relative('.', paths.results)}/index.html was not written: ${reasonOf(error)}\n`)
  })
}

/** What nothing in the lab expected is a defect, whose details go into a file of the run. */
function asLabError(error: unknown, dir: string): LabError {
  if (error instanceof LabError) return error
  if (isDiskFull(error)) return diskFull(error.path ?? dir)
  const [said, details] = error instanceof Error ? [error.message, error.stack!] : [String(error), inspect(error)]
  const file = join(dir, 'defect.txt')
  try {
    writeFileSync(file, `${shown(details)}\n`)
    return defect(shown(said), `the file ${relative('.', file)}`)
  } catch {
    return defect(shown(said), 'the lines above', shown(details).split('\n'))
  }
}

const defect = (said: string, details: string, log: string[] = []) =>
  new LabError({
    code: 'defect',
    message: `n8n-tuned itself failed: ${said}. Everything was taken down, and what was measured is kept.`,
    hint: `This is a defect: please report it, with ${details}.`,
    exit: exitCodes.failure,
    log,
  })

/** Ends the processes that the run started: their keepers end them when this process exits. */
function endAtOnce(exit: ExitCode): never {
  process.stderr.write(`\nEnded at once. ${typed.lab} report makes a report of what was measured.\n`)
  process.exit(exit)
}

async function goOn(dir: string, experiment: Experiment, fail: Fail, onRecord: OnRecord): Promise<Recorder> {
  const [first] = await readRecords(dir)
  if (first?.type !== 'run' || JSON.stringify(first.experiment) !== JSON.stringify(writtenExperiment(experiment)))
    throw usage(
      'other-experiment',
      `Expected --resume to name a run of this same experiment, got ${dir}, which asked something else.`,
      'Give the command that began it, which its report shows, and --resume.',
    )
  return reopenRecorder(dir, fail, onRecord)
}
