import type { Summary } from '../analyse/summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { faultErrors } from '../shared/fault-errors.ts'
import { parseFault, placeOf, type Fault } from '../shared/faults.ts'
import type { TargetName } from './options.ts'

/** What a profile lets go wrong under its load. */
export const faultsOf = ({ faults = [] }: Experiment): Fault[] => faults.map((text) => parseFault(text)!)

/** Whether a fault cost what it must not. */
export const broke = ({ faults = [] }: Summary): boolean => faults.some(({ broken }) => broken.length > 0)

/** Refuses, before anything starts, what cannot be done on that target. */
export function refuseElsewhere(faults: Fault[], target: TargetName): void {
  if (faults.length && target instanceof URL) throw faultErrors.noFaultsThere()
  const places = faults.map(placeOf)
  if (target === 'kubernetes' && places.includes('one machine'))
    throw faultErrors.faultElsewhere('one machine: leave out --target')
  if (target === 'local' && places.includes('a cluster'))
    throw faultErrors.faultElsewhere('a cluster: --target kubernetes')
}
