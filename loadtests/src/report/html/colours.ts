import { cellKey, type Result } from '../../model/result.ts'

export const SERIES = 8

/**
 * A result's colour, the same everywhere on the page. The first variant of a comparison, the one
 * the others are compared with, gets the grey, number 1.
 */
export function coloursOf(results: Result[]): (result: Pick<Result, 'variant' | 'cell'>) => number {
  const key = ({ variant, cell }: Pick<Result, 'variant' | 'cell'>): string => cellKey({ variant, cell })
  const keys = [...new Set(results.map(key))]
  const hasBaseline = keys.length > 1 && results.every((result) => Object.keys(result.cell).length === 0)
  return (result) => {
    const index = Math.max(0, keys.indexOf(key(result)))
    return hasBaseline && index < SERIES ? index + 1 : ((index + (hasBaseline ? 0 : 1)) % SERIES) + 1
  }
}
