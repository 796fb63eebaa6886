import type { Summary } from '../analyse/summary.ts'
import type { Experiment } from '../profile/experiment.ts'
import { parseFault, type Fault } from '../shared/faults.ts'

/** What a profile lets go wrong under its load. */
export const faultsOf = ({ faults = [] }: Experiment): Fault[] => faults.map((text) => parseFault(text)!)

/** Whether a fault cost what it must not. */
export const broke = ({ faults = [] }: Summary): boolean => faults.some(({ broken }) => broken.length > 0)
