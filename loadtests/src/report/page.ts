import type { Result } from '../model/result.ts'
import { cellKey } from '../model/result.ts'
import type { Summary } from '../model/summary.ts'
import { namesOf } from './names.ts'
import type { Series } from './series.ts'

/** What all parts of a report are made from. */
export interface Page {
  summary: Summary
  series: Series[]
  /** Where the files of the run are, for commands that a reader types in the repository's folder. */
  folder: string
  /** The name of its values file there. */
  values: string
  /** A result's name and colour, the same everywhere. */
  name: (result: Named) => string
  colour: (result: Named) => number
}

type Named = Pick<Result, 'variant' | 'cell'>

export const usualValues = 'values.yaml'

export const pageOf = (summary: Summary, series: Series[], folder: string, values = usualValues): Page => ({
  summary,
  series,
  folder,
  values,
  name: namesOf(summary.results),
  colour: coloursOf(summary.results),
})

/** How many colours there are for lines. */
export const colours = 8

/** The first variant of a comparison, the one the others are compared with, gets the grey, number 1. */
function coloursOf(results: Result[]): (result: Named) => number {
  const key = ({ variant, cell }: Named): string => cellKey({ variant, cell })
  const keys = [...new Set(results.map(key))]
  const hasBaseline = keys.length > 1 && results.every((result) => Object.keys(result.cell).length === 0)
  return (result) => {
    const index = Math.max(0, keys.indexOf(key(result)))
    return hasBaseline && index < colours ? index + 1 : ((index + (hasBaseline ? 0 : 1)) % colours) + 1
  }
}
