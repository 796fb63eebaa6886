import type { Plan } from '../chart/plan.ts'
import type { Fault } from '../fault/faults.ts'
import { reachFor } from '../targets/local/local.ts'
import { meansHere } from '../targets/local/sealed.ts'
import type { ChosenTarget } from './choose-target.ts'
import type { CommonOptions } from './options.ts'
import type { Prepared } from './prepare.ts'
import { agree, reachOf } from './reach.ts'

/** Lists what the run reaches beside what it starts, and asks. */
export async function agreeToAll(
  options: CommonOptions,
  prepared: Prepared,
  { cluster, pulls }: Pick<ChosenTarget, 'cluster' | 'pulls'>,
  plans: Plan[],
  faults: Fault[] = [],
): Promise<void> {
  const canSeal = isOfProcesses(options) && (await meansHere()).missing === null
  const where = { cluster, plans, faults, canSeal, pulls: await pulls?.(plans) }
  await agree(reachOf(options, prepared, where), options.yes)
}

const isOfProcesses = ({ target, engine }: CommonOptions) => target === 'local' && engine !== 'container'

/** The first line of a run whose n8n could not be kept apart from this machine, though nobody asked for that. */
export async function sayWhatIsOpen(options: CommonOptions, { outside }: Prepared): Promise<void> {
  const { target, allowOutside } = options
  if (target !== 'local' || reachFor(outside, allowOutside === true) === 'open') return
  const say = (text: string) => void process.stderr.write(`! ${text}\n`)
  if (!isOfProcesses(options))
    return say('Not sealed: n8n in containers reaches whatever this machine’s network reaches.')
  const { missing, user } = await meansHere()
  if (missing !== null)
    say(
      'Not sealed: n8n reaches whatever this machine’s network and this user reach, since no namespaces can be made '
        + `here (${missing}).`,
    )
  else if (process.getuid?.() === 0 && user === null)
    say('n8n runs as root, without a network: no other user can read this folder, or the cache with n8n.')
}
