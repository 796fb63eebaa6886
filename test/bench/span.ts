import { median } from '../../loadtests/src/judge/statistics.ts'

/** The median, and between which it lies. */
export function span(figures: number[], digits: number): string {
  const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)].map((figure) =>
    figure.toFixed(digits),
  )
  return `${middle} (${least} to ${most})`
}
