import { usage } from '../lib/errors.ts'
import { faultElsewhere, needsClockLibrary, needsOwnNetwork, noFaultsThere } from '../fault/refuse.ts'
import { causeOfFault, processFaultsOf, needsCluster, parseFault, type Fault } from '../fault/faults.ts'
import { canDropPackets, clockLibrary } from '../targets/local/faults.ts'
import type { ProcessFault } from '../targets/target.ts'
import type { CommonOptions, TargetName } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Experiment } from '../model/experiment.ts'

/** What a profile lets go wrong under its load. */
export const faultsOf = ({ faults = [] }: Experiment): Fault[] => faults.map((text) => parseFault(text)!)

type Place = Pick<CommonOptions, 'target' | 'engine' | 'allowOutside'>

/** Refuses, before anything starts, what cannot be done there, and prepares for what can. */
export async function readyFor(faults: Fault[], prepared: Prepared, options: Place): Promise<Prepared> {
  refuseElsewhere(faults, options.target)
  if (options.target === 'kubernetes') {
    refuseTogether(faults)
    return prepared
  }
  await refuseWithoutClock(faults, options)
  return withOwnNetwork(prepared, faults, options)
}

const does = (fault: Fault, ...hows: ProcessFault['how'][]) =>
  processFaultsOf([fault]).some(({ how }) => hows.includes(how))
const hits = (fault: Fault, store: ProcessFault['component']) =>
  processFaultsOf([fault]).some(({ component }) => component === store)

/** Refuses to move a clock that the lab cannot move. */
export async function refuseWithoutClock(faults: Fault[], { engine }: Pick<Place, 'engine'>): Promise<void> {
  if (!faults.some((fault) => does(fault, 'move-clock'))) return
  if (engine === 'container' || !(await clockLibrary())) throw needsClockLibrary()
}

/** Refuses what cannot be done on that target. */
export function refuseElsewhere(faults: Fault[], target: TargetName): void {
  if (faults.length && target instanceof URL) throw noFaultsThere()
  if (target === 'local' && faults.some(needsCluster)) throw faultElsewhere('a cluster: --target kubernetes')
}

/** What needs a network or a disk of its own. */
const apart = ['cut-off', 'lossy', 'fill-disk'] as const

/** Refuses faults that would undo what another one needs in a cluster. */
export function refuseTogether(faults: Fault[]): void {
  const diskFull = faults.find((fault) => does(fault, 'fill-disk'))
  const podGone = faults.find((fault) => does(fault, 'kill', 'end', 'interrupt', 'hold') && hits(fault, 'postgresql'))
  if (diskFull && podGone)
    throw notTogether(diskFull.name, podGone.name, 'the full disk is memory of the pod, and goes with it')
  const changed = faults.find((fault) => does(fault, ...apart))
  const upgraded = faults.find((fault) => causeOfFault(fault).by === 'upgrade')
  if (changed && upgraded)
    throw notTogether(changed.name, upgraded.name, 'Helm takes back what the lab adds to a store’s pod')
}

/** Where the outside stands still, n8n has a network of its own, in which the lab can drop packets and fill a disk. */
export async function withOwnNetwork(
  prepared: Prepared,
  faults: Fault[],
  { engine, allowOutside }: Pick<Place, 'engine' | 'allowOutside'>,
): Promise<Prepared> {
  if (!faults.some((fault) => does(fault, ...apart))) return prepared
  const outside = prepared.outside ?? { rules: [], allow: [], record: null }
  const leaves = allowOutside || outside.allow.length > 0 || outside.record !== null
  if (engine === 'container' || leaves || !(await canDropPackets())) throw needsOwnNetwork()
  return { ...prepared, outside }
}

const notTogether = (fault: string, other: string, why: string) =>
  usage(
    'faults-not-together',
    `Expected ${fault} and ${other} in two runs, because ${why}, got both in one.`,
    'Run the command twice, with one of them each time.',
  )
