import type { Result } from '../model/result.ts'

type Named = Pick<Result, 'variant' | 'cell'>

/**
 * Names for results side by side, as short as possible without being ambiguous: `tuned`, or in a matrix `cpu 500m,
 * memory 1Gi`, with the variant in front if there are several.
 */
export function namesOf(results: Named[]): (result: Named) => string {
  const severalVariants = new Set(results.map((result) => result.variant)).size > 1
  const paths = [...new Set(results.flatMap((result) => Object.keys(result.cell)))]
  const last = (path: string): string => path.split('.').at(-1) ?? path
  const shortPath = (path: string): string =>
    paths.filter((other) => last(other) === last(path)).length > 1 ? path : last(path)
  return ({ variant, cell }) => {
    const settings = Object.entries(cell)
      .map(([path, value]) => `${shortPath(path)} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ')
    if (!settings) return variant
    return severalVariants ? `${variant}: ${settings}` : settings
  }
}
