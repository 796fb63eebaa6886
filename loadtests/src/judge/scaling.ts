import { cellKey, type Result } from '../model/result.ts'
import type { Load } from '../model/load.ts'
import { rateAt, type Law, type NoLaw, type ScalingResult } from '../model/scaling.ts'
import { max, min, sum, variance } from './statistics.ts'

export interface Point {
  replicas: number
  rate: number
  /** What the rate may be off by, as a share: one standard deviation. */
  off?: number
}

export interface LawFit {
  law: Law
  /** (measured − expected by the law) ÷ expected, for each point. */
  residuals: { replicas: number; share: number }[]
  /** The number above which one more replica sustains less; null where the points do not show one. */
  peak: number | null
  /** No replica takes anything from the others, as far as the points can tell. */
  linear: boolean
  /** What so many replicas sustain, up to twice as many as were measured: where it lies 19 times in 20. */
  forecast: { replicas: number; low: number; high: number }[]
}

type Scaling = { fit: LawFit; noLaw: null } | { fit: null; noLaw: NoLaw }

/** How capacity grows with replicas: for every matrix that varies their number and keeps everything else the same. */
export function scalings(results: Result[], shape: Load['shape']): ScalingResult[] {
  // At a given rate, all that hold sustain the same, which says nothing about more replicas.
  if (shape === 'constant') return []
  const settings = [...new Set(results.flatMap(({ cell }) => Object.keys(cell)))].filter((path) =>
    path.endsWith('.replicas'),
  )
  return settings.flatMap((setting) => {
    const alike = Map.groupBy(results, ({ variant, workflow, cell }) =>
      cellKey({ variant, workflow, cell: { ...cell, [setting]: null } }),
    )
    return [...alike.values()].filter((group) => group.length > 1).map((group) => scalingOf(group, setting))
  })
}

function scalingOf(group: Result[], setting: string): ScalingResult {
  const { variant, workflow, cell } = group[0]!
  const others = Object.fromEntries(Object.entries(cell).filter(([path]) => path !== setting))
  const measured = group
    // 0 replicas, such as of a paused role, are no size.
    .filter((result) => Number(result.cell[setting]) >= 1)
    .map((result) => ({
      replicas: Number(result.cell[setting]),
      rate: result.capacity?.rate ?? 0,
      spread: result.capacity?.spread ?? null,
      off: offOf(result.capacity?.repeats ?? []),
    }))
    .toSorted((a, b) => a.replicas - b.replicas)
  const { fit, noLaw } = fitScaling(measured)
  return {
    variant,
    workflow,
    setting,
    cell: others,
    points: measured.map(({ off: _, ...point }) => point),
    ...(fit ?? { law: null, residuals: [], peak: null }),
    noLaw,
  }
}

/** Searches of the same n8n differ by about so much, and their median by less. */
const offBySearch = 0.1
const leastOff = 0.03

function offOf(repeats: number[]): number {
  if (repeats.length < 2 || repeats.includes(0)) return offBySearch
  return Math.max(leastOff, Math.sqrt(variance(repeats.map(Math.log)) / repeats.length))
}

/**
 * A law with as many parameters as points fits every set of points and proves nothing, so it gets one parameter less. A
 * point further off than this does not fit.
 */
const leastSizes = 3
const tolerated = 0.1

/** Least squares over the relative errors; fails where the points do not follow the law. */
export function fitScaling(points: Point[]): Scaling {
  const sizes = new Set(points.map(({ replicas }) => replicas)).size
  if (sizes < leastSizes) return { fit: null, noLaw: { code: 'too-few-sizes', sizes, least: leastSizes } }
  if (points.some(({ rate }) => rate <= 0)) return { fit: null, noLaw: { code: 'one-held-nothing' } }
  const law = best(points, sizes - 1)
  const residuals = points.map(({ replicas, rate }) => ({ replicas, share: rate / rateAt(law, replicas) - 1 }))
  const worst = residuals.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share))[0]!
  if (Math.abs(worst.share) > tolerated)
    return { fit: null, noLaw: { code: 'off-the-law', ...worst, allowed: tolerated } }
  return { fit: { law, residuals, ...possible(points, law) }, noLaw: null }
}

/** By how much worse than the best a law may fit before it is out, 19 times in 20 (χ² of one parameter, and of two). */
const [outByOne, outByTwo] = [3.84, 5.99]
/**
 * A forecast this many times further than what was measured is refused: a law says nothing about what it has not
 * seen.
 */
const furthest = 2

const sigmas = Array.from({ length: 31 }, (_, step) => (step / 30) ** 2)
const kappas = [0, ...Array.from({ length: 30 }, (_, step) => 10 ** (-5 + step / 6))]

/** Not only one law explains the points: what all of those have in common that explain them well enough. */
function possible(points: Point[], law: Law): Pick<LawFit, 'peak' | 'linear' | 'forecast'> {
  const usual = 0.05
  const weights = points.map(({ off = usual }) => off ** -2)
  const all = sum(weights)
  const fitted = (sigma: number, kappa: number) => {
    const offs = points.map(({ replicas, rate }) => Math.log(rate / rateAt({ lambda: 1, sigma, kappa }, replicas)))
    const level = sum(offs.map((off, index) => off * weights[index]!)) / all
    const misfit = sum(offs.map((off, index) => (off - level) ** 2 * weights[index]!))
    return { lambda: Math.exp(level), sigma, kappa, misfit }
  }
  const laws = [fitted(law.sigma, law.kappa), ...sigmas.flatMap((sigma) => kappas.map((kappa) => fitted(sigma, kappa)))]
  const least = min(laws.map(({ misfit }) => misfit))
  // Points that lie further from every law than they should say that they are less exact than was thought.
  const scale = Math.max(1, least / Math.max(1, points.length - 3))
  const off = (one: { misfit: number }) => (one.misfit - least) / scale
  const endless = min(laws.filter(({ kappa }) => kappa === 0).map(off))
  const measured = max(points.map(({ replicas }) => replicas))
  const accepted = laws.filter((one) => off(one) <= outByOne)
  const forecast = Array.from({ length: Math.ceil(furthest * measured) }, (_, index) => {
    const ends = accepted.map((one) => {
      const within = Math.sqrt(((outByOne - off(one)) * scale) / all)
      const sustained = rateAt(one, index + 1)
      return [sustained * Math.exp(-within), sustained * Math.exp(within)] as const
    })
    return { replicas: index + 1, low: min(ends.map(([low]) => low)), high: max(ends.map(([, high]) => high)) }
  })
  return {
    peak: endless > outByOne ? peakOf(law) : null,
    linear: off(fitted(0, 0)) <= outByTwo,
    forecast,
  }
}

/**
 * The fewest replicas that sustain a rate, and the number that surely does. `none`: no number sustains it. Null: it
 * would take more than twice as many as were measured, about which the law says nothing.
 */
export function replicasFor(
  { law, peak, forecast = [] }: Pick<LawFit, 'law' | 'peak'> & Partial<Pick<LawFit, 'forecast'>>,
  rate: number,
): { likely: number; surely: number | null } | 'none' | null {
  const likely = forecast.find(({ replicas }) => rateAt(law, replicas) >= rate)?.replicas
  if (likely === undefined) {
    const ends = peak !== null && peak <= forecast.length && forecast.every(({ high }) => high < rate)
    return ends ? 'none' : null
  }
  return { likely, surely: forecast.find(({ low }) => low >= rate)?.replicas ?? null }
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
