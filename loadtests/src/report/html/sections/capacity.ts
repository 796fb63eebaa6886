import { latency, rate, roughly } from '../../../lib/figures.ts'
import { isRecommended } from '../../choice.ts'
import { peakMemory } from '../../peak.ts'
import { deaths, finished, isAlone, told } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page } from '../page.ts'
import type { Result } from '../../../model/result.ts'

/** Capacity of every configuration: a bar, its figures in text, and what broke it. */
export function capacities(results: Result[], id: string, page: Page, already: { told: boolean }): Markup {
  const highest = Math.max(...results.flatMap((result) => result.capacity?.repeats ?? [0]), 1e-9)
  const title = page.summary.experiment.load.shape === 'closed' ? 'Answered' : 'Capacity'
  return html`<h3 id="${id}-capacity">${title}</h3>
<ul class="bars">${results.map((result) => row(result, highest, page, already.told))}</ul>`
}

function row(result: Result, highest: number, page: Page, told: boolean): Markup {
  const { capacity, verdict } = result
  const pills = [
    isRecommended(result, page.summary) && !isAlone(page.summary) && html`<span class="pill good">recommended</span>`,
    !verdict.holds && result.steps.length > 0 && html`<span class="pill bad">objective missed</span>`,
  ]
  return html`<li class="s${page.colour(result)}">
<p class="who"><span class="swatch" aria-hidden="true"></span><strong>${page.name(result)}</strong> ${pills}</p>
${bar(result, highest)}
<p class="figure">${capacity ? rate(capacity.rate) : 'none'}</p>
<p class="note">${told ? figures(result) : facts(result, page)}</p>
</li>`
}

/** For where the sentences above have said the rest. */
function figures(result: Result): string {
  const { capacity } = result
  const peak = peakMemory(result)
  return [
    capacity && capacity.p95 !== null && `p95 ${latency(capacity.p95)}`,
    capacity
      && (capacity.spread === null
        ? 'one run'
        : `${capacity.repeats.length} repeats, spread ${roughly(capacity.spread)}`),
    peak && `peak memory ${peak}`,
    deaths(result),
  ]
    .filter(Boolean)
    .join(' · ')
}

function facts(result: Result, page: Page): string {
  const { capacity } = result
  if (!capacity) return told(result, page.summary)
  const { reasons, at } = result.verdict
  const broke = reasons.length === 0 ? '' : `${at === null ? '' : `At ${rate(at)}: `}${reasons[0]!.text}`
  return [`${figures(result)}.`, finished(capacity.accounting), broke].filter(Boolean).join(' ')
}

/** Drawn by attributes, which the page's own policy allows; the figures beside it say the same. */
function bar({ capacity }: Result, highest: number): Markup {
  const x = (value: number): string => ((value / highest) * 100).toFixed(2)
  const repeats = capacity?.repeats ?? []
  const whisker =
    repeats.length > 1
    && ['casing', 'whisker'].map(
      (layer) =>
        html`<line class="${layer}" x1="${x(Math.min(...repeats))}" x2="${x(Math.max(...repeats))}" y1="5" y2="5"/>`,
    )
  const fill = capacity && html`<rect class="fill" width="${x(capacity.rate)}" height="10"/>`
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="10"/>${fill}${whisker}</svg>`
}
