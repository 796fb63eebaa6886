import type { Plan } from '../chart/plan.ts'
import type { Fault } from '../fault/faults.ts'
import type { Place } from '../targets/open.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { agree, reachOf } from './reach.ts'

/** Says where n8n runs, lists what the run reaches beside what it starts, and asks. */
export async function agreeToAll(
  options: CommonOptions,
  prepared: Prepared,
  { cluster, pulls, sealing, label }: Place,
  plans: Plan[],
  faults: Fault[] = [],
): Promise<void> {
  if (label) process.stderr.write(`${label}\n`)
  const { canSeal = false } = (await sealing?.()) ?? {}
  const where = { cluster, plans, faults, canSeal, pulls: await pulls?.(plans) }
  await agree(reachOf(options, prepared, where), options.yes)
}

/** The first line of a run whose n8n could not be kept apart from this machine, though nobody asked for that. */
export async function sayWhatIsOpen({ sealing }: Place): Promise<void> {
  const { said = null } = (await sealing?.()) ?? {}
  if (said !== null) process.stderr.write(`! ${said}\n`)
}
