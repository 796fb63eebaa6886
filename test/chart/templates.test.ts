import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { transformSync } from 'esbuild'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { chartScript } from '../support/chart-script.ts'

const templates = globSync('templates/**/*', { cwd: paths.chart, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))

test('templates are included by their whole name, so that grep finds who renders an object', () => {
  const madeNames = templates.filter((file) => /include \(?(print|cat|join)/.test(readFileSync(file, 'utf8')))
  expect(madeNames).toEqual([])
})

test('every file begins with what makes the values complete, whichever Helm renders first', () => {
  const files = templates.filter((file) => !file.endsWith('.tpl'))
  const others = files.filter((file) => !readFileSync(file, 'utf8').startsWith('{{- include "n8n-tuned.begin" . -}}\n'))
  expect(others).toEqual([])
})

test('every named template is included somewhere', () => {
  const all = templates.map((file) => readFileSync(file, 'utf8')).join('\n')
  const defined = [...all.matchAll(/define "([^"]+)"/g)].map(([, name]) => name!)
  expect(defined.filter((name) => !all.includes(`include "${name}"`))).toEqual([])
})

/** What a script does, whatever its comments and empty lines. */
const meaning = (script: string) => transformSync(script, { minifyWhitespace: true }).code

test.each(globSync('files/*.js', { cwd: paths.chart }))('%s does the same without its comments', (file) => {
  const whole = readFileSync(join(paths.chart, file), 'utf8')
  expect(meaning(chartScript(file.slice('files/'.length)))).toBe(meaning(whole))
})
