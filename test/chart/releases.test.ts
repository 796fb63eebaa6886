import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The page of n8n's releases and the chart's rules say the same. */

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/releases.md'), 'utf8')
const define = (file: string, name: string) =>
  new RegExp(`define "${name}" -}}\\n([\\s\\S]*?){{- end -}}`).exec(
    readFileSync(join(root, 'charts/n8n-tuned/templates', file), 'utf8'),
  )![1]!
const rowOf = (words: string) => page.split('\n').find((line) => line.startsWith('|') && line.includes(words)) ?? ''

test('the latest that was read is the same', () => {
  const read = [...define('_version.tpl', 'n8n-tuned.version.read').matchAll(/"(\d+)": "([\d.]+)"/g)]
  expect(read.length).toBeGreaterThan(1)
  for (const [, , release] of read) expect(rowOf(`${release!} | read`)).not.toBe('')
  const next = Math.max(...read.map(([, major]) => Number(major))) + 1
  expect(rowOf(`${next} and later`)).toContain('refused')
})

test('every variable that the chart refuses from a release on is on the page', () => {
  const removed = [...define('refusals/_env.tpl', 'n8n-tuned.removed').matchAll(/^(\w+):\n {2}since: (\d+\.\d+)/gm)]
  expect(removed.length).toBeGreaterThan(3)
  for (const [, variable, since] of removed) expect(rowOf(`\`${variable!}\` | ${since!}`)).toContain('refused')
})
