import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'

/**
 * The capacity model as a script of the page: the very files that `plan` runs, one after the other. A clone has them in
 * TypeScript, the installed package in JavaScript.
 */
const files = ['lib/figures', 'judge/fleet/queueing', 'judge/fleet/model', 'report/fleet-figures']

const extension = extname(import.meta.filename)

export function modelScript(): string {
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
