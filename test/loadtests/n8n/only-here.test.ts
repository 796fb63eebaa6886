import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../loadtests/src/lib/paths.ts'

/**
 * What n8n calls its tables, the keys of its queue and its metrics stands in n8n/ alone, beside the chart: when n8n
 * changes one, there is one place to change.
 */

const src = join(root, 'loadtests')
const files = globSync('{src,scenarios}/**/*.{ts,mjs,cjs}', { cwd: src }).filter((file) => !file.startsWith('src/n8n/'))

const named: [what: string, names: RegExp[]][] = [
  [
    'tables',
    [
      /\b(execution|workflow|credentials|webhook)_entity\b/,
      /\bexecution_(data|metadata)\b/,
      /\bdata_table_(user|column)\b/,
    ],
  ],
  ['columns of executions', [/\b(deletedAt|waitTill|stoppedAt|executionId)\b/]],
  ['keys of the queue', [/(bull|\}):jobs\b/, /\bbull:/, /['"`]bull['"`]/]],
  [
    'metrics',
    [
      /\bn8n_\w+_(total|seconds|bytes|count|info)\b/,
      /\b(nodejs|db_pool)_\w+/,
      /\bworkflow_(started|success|failed)_total\b/,
      /\bprocess_(start_time|open_fds)/,
    ],
  ],
]

test.each(named)('%s are named nowhere else', (_, names) => {
  const isNamed = (file: string) => names.some((name) => name.test(readFileSync(join(src, file), 'utf8')))
  expect(files.filter(isNamed)).toEqual([])
  // The patterns find them where they are.
  expect(globSync('src/n8n/**/*.ts', { cwd: src }).some(isNamed)).toBe(true)
})
