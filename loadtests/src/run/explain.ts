import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/make-folder.ts'
import { explainProcess } from '../judge/explain.ts'
import { peakOf } from '../load/course.ts'
import { fileName } from '../lib/names.ts'
import { driveWhole, type DriveOptions } from '../load/k6.ts'
import type { RunningProcess } from '../n8n/running.ts'
import type { ExplainedProcess } from '../model/explanation.ts'
import type { PlannedStep, Step } from '../model/step.ts'

/** Long enough for some thousand looks at a process that is half idle. */
const seconds = 15

/**
 * The load to explain: the highest rate of a search that held, otherwise the load of the profile. If nothing held, the
 * lowest rate that was tried; null without any.
 */
export function loadToExplain(driven: { shape: PlannedStep['shape']; step: Step }[]): PlannedStep['shape'] | null {
  const measured = driven
    .filter(({ step }) => step.purpose === 'measure')
    .toSorted((a, b) => rateOf(b.shape) - rateOf(a.shape))
  const chosen = measured.find(({ step }) => step.holds) ?? measured.at(-1)
  if (!chosen) return null
  return chosen.shape.kind === 'course' ? { kind: 'constant', rate: peakOf(chosen.shape) } : chosen.shape
}

const rateOf = (shape: PlannedStep['shape']) =>
  shape.kind === 'closed' ? shape.vus : shape.kind === 'constant' ? shape.rate : peakOf(shape)

interface ExplainOrder {
  load: Omit<PlannedStep, 'duration'>
  processes: RunningProcess[]
  /** The folder for the profiles, which DevTools opens. */
  folder: string
  drive: DriveOptions
}

/** One more step of load, with every n8n process under profile. Only these shares come from it. */
export async function explainStep({
  load,
  processes,
  folder,
  drive,
}: ExplainOrder): Promise<{ rate: number | null; processes: ExplainedProcess[] }> {
  const profiled = processes.filter(({ profile }) => profile)
  const begun = await Promise.all(profiled.map(async ({ name, profile }) => ({ name, end: await profile!() })))
  const { rate } = await driveWhole({ ...load, duration: seconds }, drive)
  const seen = await Promise.all(begun.map(async ({ name, end }) => ({ name, profile: await end() })))
  makeFolder(folder)
  for (const { name, profile } of seen)
    await writeFile(join(folder, `${fileName(name)}.cpuprofile`), JSON.stringify(profile.cpu))
  return { rate, processes: seen.map(({ name, profile }) => explainProcess(name, profile)) }
}
