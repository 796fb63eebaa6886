import { mainsFor } from '../../judge/fleet/model.ts'
import { figure } from '../../lib/figures.ts'
import type { FleetSliders } from '../document.ts'
import { figureNames, figuresOf, type FleetFigures } from '../fleet-figures.ts'
import { html, json, type Markup } from './escape.ts'

const prices = [
  ['cpu', 'Price of a core, a month'],
  ['memory', 'Price of a GiB, a month'],
] as const

/** Sliders over a fleet, and what the model says of it: as it was measured, until a reader moves one. */
export function fleetSliders({ label, fleet, size, rate, objective }: FleetSliders): Markup {
  const most = (value: number, least: number) => Math.ceil(Math.max(least, 50 * value) / 100) * 100
  const sliders = [
    {
      name: 'rate',
      text: 'Rate, executions a second',
      value: Math.max(1, Math.round(rate)),
      min: 1,
      max: most(rate, 1000),
      step: 1,
    },
    { name: 'worker', text: 'Workers', value: size.worker, min: 1, max: most(size.worker, 100), step: 1 },
    { name: 'webhook', text: 'Webhook processors', value: size.webhook, min: 1, max: most(size.webhook, 100), step: 1 },
    { name: 'workerCpu', text: 'CPU of a worker, cores', value: size.workerCpu, min: 0.1, max: 4, step: 0.05 },
    {
      name: 'workerMebibytes',
      text: 'Memory of a worker, MiB',
      value: Math.round(size.workerMemory / 2 ** 20),
      min: 256,
      max: 8192,
      step: 64,
    },
  ]
  const figures = figuresOf(fleet, {
    size: { ...size, main: mainsFor(fleet, rate) },
    rate: sliders[0]!.value,
    objective,
    price: null,
  })
  return html`<div class="fleet" role="group" aria-label="${label}">
<script type="application/json">${json({ fleet, size, objective })}</script>
<div class="sliders">${sliders.map(
    ({
      name,
      text,
      value,
      min,
      max,
      step,
    }) => html`<label><span>${text}: <output data-of="${name}">${figure(value)}</output></span>
<input type="range" name="${name}" min="${min}" max="${max}" step="${step}" value="${value}"></label>
`,
  )}${prices.map(
    ([name, text]) => html`<label><span>${text}</span>
<input type="number" name="${name}" min="0" step="any" inputmode="decimal" placeholder="none"></label>
`,
  )}</div>
<dl>${(Object.keys(figureNames) as (keyof FleetFigures)[]).map(
    (name) => html`<div><dt>${figureNames[name]}</dt><dd data-figure="${name}">${figures[name]}</dd></div>
`,
  )}</dl>
</div>`
}
