import type { Result } from '../../../analyse/summary.ts'
import { latency, rate, roughly } from '../../../figures.ts'
import { isRecommended } from '../../choice.ts'
import { peakMemory } from '../../peak.ts'
import { deaths, finished, isAlone, told } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'

/** Capacity of every configuration: a bar, its figures in text, and what broke it. */
export function capacities(results: Result[], id: string, page: Page): Markup {
  const highest = Math.max(...results.flatMap((result) => result.capacity?.repeats ?? [0]), 1e-9)
  const title = page.summary.experiment.load.shape === 'closed' ? 'Answered' : 'Capacity'
  return html`<h3 id="${id}-capacity">${title}</h3>
<ul class="bars">${results.map((result) => row(result, highest, page))}</ul>`
}

function row(result: Result, highest: number, page: Page): Markup {
  const { capacity, verdict } = result
  const pills = [
    isRecommended(result, page.summary) && !isAlone(page.summary) && html`<span class="pill good">recommended</span>`,
    !verdict.holds && result.steps.length > 0 && html`<span class="pill bad">objective missed</span>`,
  ]
  return html`<li class="s${page.colour(result)}">
<p class="who"><span class="swatch" aria-hidden="true"></span><strong>${page.name(result)}</strong> ${pills}</p>
${bar(result, highest)}
<p class="figure">${capacity ? rate(capacity.rate) : 'none'}</p>
<p class="note">${facts(result, page)}</p>
</li>`
}

function facts(result: Result, page: Page): string {
  const { capacity } = result
  if (!capacity) return told(result, page.summary)
  const peak = peakMemory(result)
  const figures = [
    capacity.p95 !== null && `p95 ${latency(capacity.p95)}`,
    capacity.spread === null ? 'one repeat' : `${capacity.repeats.length} repeats, spread ${roughly(capacity.spread)}`,
    peak && `peak memory ${peak}`,
  ].filter(Boolean).join(' · ')
  const { reasons, at } = result.verdict
  const broke = reasons.length === 0 ? '' : `${at === null ? '' : `At ${rate(at)}: `}${reasons[0].text}`
  const died = deaths(result)
  return [`${figures}.`, finished(capacity.accounting), broke, died && `In this run ${died}.`].filter(Boolean).join(' ')
}

/** Drawn by attributes, which the page's own policy allows; the figures beside it say the same. */
function bar({ capacity }: Result, highest: number): Markup {
  const x = (value: number): string => ((value / highest) * 100).toFixed(2)
  const repeats = capacity?.repeats ?? []
  const whisker = repeats.length > 1
    && ['casing', 'whisker'].map((layer) => html`<line class="${layer}" x1="${x(Math.min(...repeats))}" x2="${x(Math.max(...repeats))}" y1="5" y2="5"/>`)
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="10"/>${capacity && html`<rect class="fill" width="${x(capacity.rate)}" height="10"/>`}${whisker}</svg>`
}
