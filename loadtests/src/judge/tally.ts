/** Count, mean, least and most of figures that come one by one: a run has too many samples for lists of them. */
export interface FigureTally {
  readonly count: number
  readonly mean: number
  readonly min: number
  readonly max: number
  /** A figure that is not known does not count. */
  add(value: number | null | undefined): void
}

export function openFigureTally(): FigureTally {
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity]
  return {
    add(value) {
      if (value === null || value === undefined) return
      count++
      sum += value
      min = Math.min(min, value)
      max = Math.max(max, value)
    },
    get count() {
      return count
    },
    get mean() {
      return sum / count
    },
    get min() {
      return min
    },
    get max() {
      return max
    },
  }
}

/** Null where no figure was known. */
export const meanOf = ({ count, mean }: FigureTally): number | null => (count ? mean : null)
