import { type Law, rateAt } from '../model/scaling.ts'

export interface Point {
  replicas: number
  rate: number
}

export interface Fit {
  law: Law
  /** (measured − expected by the law) ÷ expected, for each point. */
  residuals: { replicas: number; share: number }[]
  /** The number above which one more replica carries less; null where more always carry more. */
  peak: number | null
}

export type Scaling = { fit: Fit; refused: null } | { fit: null; refused: string }

/**
 * A law with as many parameters as points fits every set of points and proves nothing, so it gets one parameter less. A
 * point further off than this does not fit.
 */
const leastSizes = 3
const tolerated = 0.1

/** Least squares over the relative errors; fails where the points do not follow the law. */
export function fitScaling(points: Point[]): Scaling {
  const sizes = new Set(points.map(({ replicas }) => replicas)).size
  if (sizes < leastSizes)
    return refuse(`Expected capacities of at least ${leastSizes} numbers of replicas, got ${sizes}.`)
  if (points.some(({ rate }) => rate <= 0))
    return refuse('Expected every number of replicas to hold some rate, got one that held none.')
  const law = best(points, sizes - 1)
  const residuals = points.map(({ replicas, rate }) => ({ replicas, share: rate / rateAt(law, replicas) - 1 }))
  const worst = residuals.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share))[0]!
  if (Math.abs(worst.share) > tolerated) {
    return refuse(
      `Expected capacities within ${tolerated * 100} % of the law, got ${worst.replicas} replicas off by `
        + `${Math.round(worst.share * 100)} %: something other than their number decides.`,
    )
  }
  return { fit: { law, residuals, peak: peakOf(law) }, refused: null }
}

const refuse = (refused: string): Scaling => ({ fit: null, refused })

/** The fewest replicas that carry a rate; null where no number does. */
export function replicasFor({ law, peak }: Pick<Fit, 'law' | 'peak'>, rate: number, most = 1000): number | null {
  for (let replicas = 1; replicas <= Math.min(most, peak ?? most); replicas++) {
    if (rateAt(law, replicas) >= rate) return replicas
  }
  return null
}

function peakOf({ sigma, kappa }: Law): number | null {
  if (kappa <= 0) return null
  const peak = Math.sqrt((1 - sigma) / kappa)
  const [below, above] = [Math.max(1, Math.floor(peak)), Math.max(1, Math.ceil(peak))]
  const worth = (replicas: number) => rateAt({ lambda: 1, sigma, kappa }, replicas)
  return worth(above) > worth(below) ? above : below
}

/**
 * N ÷ X(N) = (1 + σ(N − 1) + κN(N − 1)) ÷ λ is linear in 1 ÷ λ, σ ÷ λ and κ ÷ λ. None of them can be negative: one that
 * comes out negative is set to 0, and the fit is repeated without it.
 */
function best(points: Point[], parameters: number): Law {
  const terms = (replicas: number) => [1, replicas - 1, replicas * (replicas - 1)]
  const fits = [[0, 1, 2], [0, 1], [0, 2], [0]]
    .filter(({ length }) => length <= parameters)
    .map((used) => {
      // The weight makes the error of each equation relative to its measured value.
      const rows = points.map(({ replicas, rate }) => used.map((term) => (terms(replicas)[term]! * rate) / replicas))
      const solved = leastSquares(
        rows,
        points.map(() => 1),
      )
      const [inverse = 0, sigma = 0, kappa = 0] = [0, 1, 2].map((term) =>
        used.includes(term) ? solved[used.indexOf(term)]! : 0,
      )
      return {
        inverse,
        sigma,
        kappa,
        error: rows.reduce(
          (sum, row) => sum + (row.reduce((value, cell, index) => value + cell * solved[index]!, 0) - 1) ** 2,
          0,
        ),
      }
    })
  const { inverse, sigma, kappa } = fits
    .filter((fit) => fit.inverse > 0 && fit.sigma >= 0 && fit.kappa >= 0)
    .toSorted((a, b) => a.error - b.error)[0]!
  return { lambda: 1 / inverse, sigma: sigma / inverse, kappa: kappa / inverse }
}

/** Normal equations: with three unknowns there are few of them, and they are stable enough. */
function leastSquares(rows: number[][], wanted: number[]): number[] {
  const unknowns = rows[0]!.length
  const matrix = Array.from({ length: unknowns }, (_, i) => [
    ...Array.from({ length: unknowns }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    rows.reduce((sum, row, index) => sum + row[i]! * wanted[index]!, 0),
  ])
  return eliminate(matrix)
}

/** Gauss-Jordan elimination with the largest pivot. */
function eliminate(matrix: number[][]): number[] {
  for (let column = 0; column < matrix.length; column++) {
    const pivot = matrix.findIndex(
      (row, index) =>
        index >= column
        && Math.abs(row[column]!) === Math.max(...matrix.slice(column).map((other) => Math.abs(other[column]!))),
    )
    ;[matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!]
    for (const row of matrix) {
      if (row === matrix[column]) continue
      const factor = row[column]! / matrix[column]![column]!
      row.forEach((cell, index) => (row[index] = cell - factor * matrix[column]![index]!))
    }
  }
  return matrix.map((row, index) => row.at(-1)! / row[index]!)
}
