import { rate, roughly } from '../../../lib/figures.ts'
import { asking } from '../../commands.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import { table } from '../table.ts'
import { rateAt, type ScalingResult } from '../../../model/scaling.ts'

const [WIDTH, HEIGHT, EDGE] = [400, 150, 6]

/** How capacity grows with replicas: what was measured, and the law through it. */
export function scaling({ summary, folder }: Page): Markup | null {
  if (summary.scaling.length === 0) return null
  return html`<section class="evidence" aria-labelledby="scaling">
<h2 id="scaling">How it scales</h2>
<p class="note">Dots: capacities, with the spread of their repeats. Line: the Universal Scalability Law.
How many replicas carry 200/s, or another rate: <code>${asking(folder, 200)}</code></p>
${summary.scaling.map((one, index) => part(one, index))}
</section>`
}

function part(one: ScalingResult, index: number): Markup {
  const rows = one.points.map((point, nth) => [
    point.replicas,
    rate(point.rate),
    point.spread === null ? '–' : roughly(point.spread),
    one.residuals[nth] ? roughly(one.residuals[nth].share) : '–',
  ])
  return html`<h3>${one.workflow}: ${one.setting}</h3>
<p class="sentence">${one.text}</p>
${drawn(one, index)}
${table(`Capacities over ${one.setting}, ${index + 1}`, columns, rows)}`
}

const columns = ['Replicas', 'Capacity', 'Spread', 'Off the law by']

function drawn({ points, law, setting }: ScalingResult, index: number): Markup {
  const furthest = Math.max(...points.map(({ replicas }) => replicas)) * 1.5
  const highest =
    Math.max(
      ...points.map((point) => point.rate * (1 + (point.spread ?? 0) / 2)),
      ...(law ? [rateAt(law, furthest)] : []),
    ) * 1.05
  const x = (replicas: number) => (EDGE + (replicas / furthest) * (WIDTH - 2 * EDGE)).toFixed(1)
  const y = (value: number) => (HEIGHT - EDGE - (value / highest) * (HEIGHT - 2 * EDGE)).toFixed(1)
  const line =
    law
    && Array.from({ length: 41 }, (_, step) => Math.max(0.01, (step / 40) * furthest))
      .map((replicas) => `${x(replicas)},${y(rateAt(law, replicas))}`)
      .join(' ')
  const carried = points.map((point) => `${point.replicas} carry ${rate(point.rate)}`).join(', ')
  const label = `Capacity over ${setting}, chart ${index + 1}: ${carried}.`
  const dots = points.map((point) => {
    const half = (point.spread ?? 0) / 2
    const [across, low, high] = [x(point.replicas), y(point.rate * (1 - half)), y(point.rate * (1 + half))]
    return html`<line class="range" x1="${across}" x2="${across}" y1="${low}" y2="${high}"/>
<circle class="dot" cx="${across}" cy="${y(point.rate)}" r="4"/>`
  })
  return html`<svg class="law s1" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<polyline class="axis" points="${EDGE},${EDGE} ${EDGE},${HEIGHT - EDGE} ${WIDTH - EDGE},${HEIGHT - EDGE}"/>
${line && html`<polyline class="through" points="${line}"/>`}
${dots}
</svg>`
}
