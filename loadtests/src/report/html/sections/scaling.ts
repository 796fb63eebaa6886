import type { ScalingResult } from '../../../analyse/summary.ts'
import { rateAt } from '../../../shared/scaling-law.ts'
import { rate, roughly } from '../../../support/figures.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

const [WIDTH, HEIGHT, EDGE] = [400, 150, 6]

/** How capacity grows with replicas: what was measured, and the law through it. */
export function scaling({ summary }: Page): Markup | null {
  if (summary.scaling.length === 0) return null
  return html`<section class="evidence" aria-labelledby="scaling">
<h2 id="scaling">How it scales</h2>
<p class="note">Dots: capacities, with the spread of their repeats. Line: the Universal Scalability Law. n8n-tuned report DIR --rate 200 says how many replicas carry a rate.</p>
${summary.scaling.map((one, index) => part(one, index))}
</section>`
}

function part(one: ScalingResult, index: number): Markup {
  return html`<h3>${one.workflow}: ${one.setting}</h3>
<p class="sentence">${one.text}</p>
${drawn(one, index)}
<div class="scroll" tabindex="0" role="region" aria-label="Capacities over ${one.setting}, ${index + 1}">
<table>
<thead><tr><th scope="col">Replicas</th><th scope="col">Capacity</th><th scope="col">Spread</th><th scope="col">Off the law by</th></tr></thead>
<tbody>${one.points.map((point, nth) => html`<tr><th scope="row">${point.replicas}</th><td>${rate(point.rate)}</td><td>${point.spread === null ? '–' : roughly(point.spread)}</td><td>${one.residuals[nth] ? roughly(one.residuals[nth].share) : '–'}</td></tr>`)}</tbody>
</table>
</div>`
}

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
  return html`<svg class="law s1" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Capacity over ${setting}, chart ${index + 1}: ${points.map((point) => `${point.replicas} carry ${rate(point.rate)}`).join(', ')}.">
<polyline class="axis" points="${EDGE},${EDGE} ${EDGE},${HEIGHT - EDGE} ${WIDTH - EDGE},${HEIGHT - EDGE}"/>
${line && html`<polyline class="through" points="${line}"/>`}
${points.map((point) => html`<line class="range" x1="${x(point.replicas)}" x2="${x(point.replicas)}" y1="${y(point.rate * (1 - (point.spread ?? 0) / 2))}" y2="${y(point.rate * (1 + (point.spread ?? 0) / 2))}"/><circle class="dot" cx="${x(point.replicas)}" cy="${y(point.rate)}" r="4"/>`)}
</svg>`
}
