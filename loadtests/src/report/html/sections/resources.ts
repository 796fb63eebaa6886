import { count, figure, memory } from '../../../lib/figures.ts'
import { deaths } from '../../sentences.ts'
import { html, type Markup } from '../escape.ts'
import type { Page, TimeChart } from '../page.ts'
import { key } from './key.ts'
import { drawnOf, timeCharts } from './timeline.ts'
import type { Resources, Result } from '../../../model/result.ts'

/** More than this many results are folded away: they open one by one. */
const OPEN = 4

/** CPU and memory over time of every process, with the limit and what was killed, and how the queue stood. */
export function overTime(results: Result[], id: string, page: Page): Markup | null {
  const parts = results
    .map((result, index) => ({ result, chart: `${id}-time-${index}`, charts: timeCharts(result, page) }))
    .filter(({ charts }) => charts !== null)
  if (parts.length === 0) return null
  return html`<h3>CPU and memory over time</h3>
<p class="note">${about}</p>
${parts.map(
  ({ result, chart, charts }) => html`<details class="over-time"${parts.length <= OPEN && html` open`}>
<summary><strong>${page.name(result)}</strong> <span class="note">${described(result)}</span></summary>
<div class="pair">
${drawn(`${chart}-cpu`, `CPU of ${page.name(result)}`, charts!.cpu, page)}
${drawn(`${chart}-memory`, `Memory of ${page.name(result)}`, charts!.memory, page)}
${charts!.queue && drawn(`${chart}-queue`, `Queue of ${page.name(result)}`, charts!.queue, page)}
</div>
</details>`,
)}`
}

const about =
  'Shaded: the steps, red where they broke. Dashed across: the limit, where all processes have the same. A red line: '
  + 'a process that died.'

function drawn(id: string, title: string, chart: TimeChart, page: Page): Markup {
  page.charts[id] = chart
  return html`<figure>
<p class="chart-title" id="${id}-title">${title}</p>
<div class="chart small" id="${id}" role="img" aria-labelledby="${id}-title"></div>
${key(chart.lines)}
</figure>`
}

/** The text alternative: the figures of the curves. */
function described(result: Result): string {
  const drawn = new Set(drawnOf(result))
  const shown = result.resources.filter(({ process }) => drawn.has(process))
  const parts = shown.map((resources) => {
    const figures = [requests(resources), cpu(resources), rss(resources)].filter(Boolean).join(', ')
    return result.resources.length > 1 ? `${resources.process}: ${figures}` : figures
  })
  const died = deaths(result)
  const left = result.resources.length - shown.length
  if (left > 0) parts.push(`and ${count(left)} more, which used less: samples.csv has them all`)
  return `${parts.join('; ')}${died ? `${parts.length > 0 ? '; ' : ''}${died}` : ''}`
}

/** Of a single process the steps say it. */
const requests = ({ requests: answered }: Resources): string | null =>
  answered === null ? null : `${count(answered)} requests`

function cpu({ cpu: used, limit }: Resources): string | null {
  if (!used) return null
  const of = limit.cpu === null ? '' : ` of ${figure(limit.cpu)}`
  return `CPU ${cores(used.mean)} on average, ${cores(used.max)} at most${of} ${limit.cpu === 1 ? 'core' : 'cores'}`
}

const cores = (value: number): string => value.toFixed(2)

function rss({ rss: used, limit }: Resources): string | null {
  return used && `memory ${memory(used.max)} at most${limit.memory === null ? '' : ` of ${memory(limit.memory)}`}`
}
