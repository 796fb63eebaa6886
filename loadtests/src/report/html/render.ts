import type { Summary } from '../../model/summary.ts'
import { choiceFor, workflowsOf } from '../choice.ts'
import { namesOf } from '../names.ts'
import type { Series } from '../series.ts'
import { assets, policy } from './assets.ts'
import { coloursOf } from './colours.ts'
import { html, json, Markup } from './escape.ts'
import type { Page } from './page.ts'
import { advice } from './sections/advice.ts'
import { answer } from './sections/answer.ts'
import { faults } from './sections/faults.ts'
import { gate } from './sections/gate.ts'
import { operating } from './sections/operating.ts'
import { outside } from './sections/outside.ts'
import { redo } from './sections/redo.ts'
import { scaling } from './sections/scaling.ts'
import { setAside } from './sections/set-aside.ts'
import { settings } from './sections/settings.ts'
import { tiers } from './sections/tiers.ts'
import { warnings } from './sections/warnings.ts'
import { underWorkflow } from './sections/workflow.ts'
import { worth } from './sections/worth.ts'

/** The report: one file, readable without a network, words before charts. */
export function renderHtml(summary: Summary, series: Series[], folder = `results/${summary.id}`): string {
  const page: Page = {
    summary,
    series,
    name: namesOf(summary.results),
    colour: coloursOf(summary.results),
    choice: (workflow) => choiceFor(workflow, summary),
    folder,
    charts: {},
  }
  const body = [
    answer(page),
    warnings(page),
    settings(page),
    setAside(page),
    operating(page),
    tiers(page),
    gate(page),
    faults(page),
    worth(page),
    scaling(page),
    ...workflowsOf(summary).map((workflow, index) => underWorkflow(workflow, index, page)),
    outside(page),
    advice(page),
    redo(page),
  ]
  const { style, script } = assets()
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy({ style, script })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${summary.experiment.name}: ${summary.experiment.question}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${body}
</main>
<footer>
<p class="on-paper">The evidence is in report.html, which this was printed from.</p>
<p>Written by n8n-tuned from run.ndjson. Every figure on this page is of this run.</p>
</footer>
<script type="application/json" id="charts">${json(page.charts)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`.text
}
