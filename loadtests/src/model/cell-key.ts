import type { Values } from './profile/experiment.ts'

/** What tells results of a run apart; a part that is left out tells none apart. */
interface Coordinates {
  variant?: string
  workflow?: string
  cell?: Values
}

/** The same for the same variant, workflow and cell of the matrix. */
export const cellKey = ({ variant, workflow, cell }: Coordinates): string => JSON.stringify([variant, workflow, cell])

/** Whether both are of one cell of the matrix, whatever their variant and workflow. */
export const inSameCell = (a: { cell: Values }, b: { cell: Values }): boolean =>
  cellKey({ cell: a.cell }) === cellKey({ cell: b.cell })
