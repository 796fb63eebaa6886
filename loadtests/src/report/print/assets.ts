import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'

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

/**
 * The capacity model as a script of the page: the very files that `plan` runs, one after the other. A clone has them in
 * TypeScript, the installed package in JavaScript.
 */
const files = [
  'lib/figures',
  'judge/estimate/random',
  'judge/fleet/simulate',
  'judge/fleet/model',
  'report/fleet-figures',
]

const extension = extname(import.meta.filename)

function modelScript(): string {
  return files
    .map((file) => asScript(readFileSync(join(import.meta.dirname, '../..', file + extension), 'utf8')))
    .join('\n')
}

/** In one script every name is known already, except one that an import gives another name. Compilers change quotes. */
function asScript(source: string): string {
  const text = extension === '.ts' ? withoutTypes(source) : source
  return text
    .replaceAll(/^import [^]*?from ['"][^'"]+['"];?$/gm, (statement) =>
      [...statement.matchAll(/(\w+) as (\w+)/g)].map(([, name, other]) => `const ${other} = ${name}`).join('\n'),
    )
    .replaceAll(/^export (?=const|function|class)/gm, '')
    .replaceAll(/^export \{.*\};?$/gm, '')
}

/** Node itself strips them, and calls that experimental on each start. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
