import { importableCredentials, type Credential } from '../n8n/credentials.ts'
import type { OutsideCount } from '../model/outside.ts'
import { progressWords } from '../report/progress-words.ts'
import type { Target } from '../targets/target.ts'
import type { LabError } from '../lib/errors.ts'
import type { Workflow } from '../workload/open.ts'
import type { Cell } from './cells.ts'
import type { Progress } from './context.ts'
import { firstRuns } from './mend.ts'
import type { FirstAnswer, FirstRun, Rehearsed } from './rehearse.ts'

/** What one execution of a workflow did, without any load. */
export interface DryRun extends Rehearsed {
  refusal: LabError | null
  bridges: FirstRun['bridges']
  made: Workflow['made']
}

interface Order {
  target: Target
  credentials: Credential[]
  logs: string
  progress: Progress
  signal: AbortSignal
  strict?: boolean
}

/** Starts n8n with the workflows of a cell, and executes each of them once. */
export async function dryRun(
  { plan, traffic }: Cell,
  { target, credentials, logs, progress, signal, strict }: Order,
): Promise<{ runs: DryRun[]; outside: OutsideCount | null }> {
  const workflows = traffic.parts.map(({ workflow }) => workflow)
  const answers: FirstAnswer[] = []
  progress.doing(progressWords.startsN8n)
  const running = await target.up(plan, {
    workflows,
    credentials: importableCredentials(credentials),
    logs,
    signal,
    onProgress: progress.doing,
    onEvent() {},
    onAnswer: ({ id }, answer) => void answers.push({ id, ...answer }),
  })
  try {
    progress.doing(progressWords.executesEachOnce)
    const all = await firstRuns(workflows, running, answers, {
      signal,
      strict,
      onTry: (tried, number) => progress.doing(progressWords.triesAgain(tried, number)),
    })
    const runs = all.map(({ workflow, coverage, refusal, bridges }) => ({
      ...coverage,
      refusal,
      bridges,
      made: workflow.made,
    }))
    return { runs, outside: (await running.outside?.()) ?? null }
  } finally {
    await running.down()
  }
}
