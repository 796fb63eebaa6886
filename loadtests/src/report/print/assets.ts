import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { modelScript } from './model.ts'

const require = createRequire(import.meta.url)

/** One script in a block of its own, in this order: it runs in the reader's browser, from the page itself. */
const charts = ['pen', 'latency', 'time', 'draw']

/** In this order: the later ones change what the earlier ones say. */
const styles = ['page', 'first-screen', 'charts', 'evidence', 'fleet', 'phone', 'grids', 'print']

/** Everything the page needs, read once per render: the page itself never asks for a file. */
export function assets({ live = false } = {}): { style: string; script: string } {
  const last = live ? ['live'] : []
  const own = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
  const uPlot = (name: string): string => readFileSync(require.resolve(`uplot/dist/${name}`), 'utf8')
  const ownStyle = [...styles, ...last].map((name) => own(`styles/${name}.css`)).join('\n')
  const ownScript = [...charts, ...last].map((name) => own(`charts/${name}.js`)).join('\n')
  return {
    style: uPlot('uPlot.min.css') + ownStyle,
    script: `${uPlot('uPlot.iife.min.js')}\n{\n${ownScript}}\n${live ? '' : sliders(own('charts/fleet.js'))}`,
  }
}

/** In a block of its own, so that its names are nobody else's. */
const sliders = (own: string) => `{\n${modelScript()}\n${own}}\n`

/** Only these texts may style the page or run in it. It may fetch nothing. */
export function policy({ style, script }: { style: string; script: string }): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`
}
