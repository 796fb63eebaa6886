import { usage } from '../lib/errors.ts'
import { noFaultsThere } from '../fault/refuse.ts'
import { causeOfFault, processFaultsOf, needsCluster, parseFault, type Fault } from '../fault/faults.ts'
import { refuseFaultsHere } from '../targets/means.ts'
import { faultElsewhere, needsApart, type ProcessFault } from '../model/fault.ts'
import type { CommonOptions, TargetName } from './options.ts'
import type { Prepared } from './prepare.ts'
import type { Experiment } from '../model/experiment.ts'

/** What a profile lets go wrong under its load. */
export const faultsOf = ({ faults = [] }: Experiment): Fault[] => faults.map((text) => parseFault(text)!)

type Place = Pick<CommonOptions, 'target' | 'allowOutside'>

/** Refuses, before anything starts, what cannot be done there, and prepares for what can. */
export async function readyFor(
  faults: Fault[],
  prepared: Prepared,
  { target, allowOutside }: Place,
): Promise<Prepared> {
  refuseElsewhere(faults, target)
  if (target === 'kubernetes') {
    refuseTogether(faults)
    return prepared
  }
  const all = processFaultsOf(faults)
  // Where the outside stands still, n8n has a network of its own, in which the lab can drop packets and fill a disk.
  const outside = prepared.outside ?? (all.some(needsApart) ? { rules: [], allow: [], record: null } : null)
  if (prepared.engine) await refuseFaultsHere(all, { engine: prepared.engine, outside, open: allowOutside === true })
  return outside === prepared.outside ? prepared : { ...prepared, outside }
}

const does = (fault: Fault, ...hows: ProcessFault['how'][]) =>
  processFaultsOf([fault]).some(({ how }) => hows.includes(how))
const hits = (fault: Fault, store: ProcessFault['component']) =>
  processFaultsOf([fault]).some(({ component }) => component === store)

/** Refuses what cannot be done on that target. */
export function refuseElsewhere(faults: Fault[], target: TargetName): void {
  if (faults.length && target instanceof URL) throw noFaultsThere()
  if (target === 'local' && faults.some(needsCluster)) throw faultElsewhere()
}

/** Refuses faults that would undo what another one needs in a cluster. */
export function refuseTogether(faults: Fault[]): void {
  const diskFull = faults.find((fault) => does(fault, 'fill-disk'))
  const podGone = faults.find((fault) => does(fault, 'kill', 'end', 'interrupt', 'hold') && hits(fault, 'postgresql'))
  if (diskFull && podGone)
    throw notTogether(diskFull.name, podGone.name, 'the full disk is memory of the pod, and goes with it')
  const changed = faults.find((fault) => processFaultsOf([fault]).some(needsApart))
  const upgraded = faults.find((fault) => causeOfFault(fault).by === 'upgrade')
  if (changed && upgraded)
    throw notTogether(changed.name, upgraded.name, 'Helm takes back what the lab adds to a store’s pod')
}

const notTogether = (fault: string, other: string, why: string) =>
  usage(
    'faults-not-together',
    `Expected ${fault} and ${other} in two runs, because ${why}, got both in one.`,
    'Run the command twice, with one of them each time.',
  )
