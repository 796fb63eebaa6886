import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths } from '../../loadtests/src/lib/paths.ts'
import { root } from '../support/command.ts'

const scenarios = readdirSync(join(paths.chart, 'ci')).sort()

test('the page of recipes names every scenario, and no other', () => {
  const page = readFileSync(join(root, 'docs/chart-recipes.md'), 'utf8')
  const named = [...page.matchAll(/\(\.\.\/charts\/n8n-tuned\/ci\/([a-z0-9-]+\.yaml)\)/g)].map(([, file]) => file!)
  expect(named.sort()).toEqual(scenarios)
})

test.each(scenarios)('%s begins with who needs it', (file) => {
  expect(readFileSync(join(paths.chart, 'ci', file), 'utf8')).toMatch(/^# \S/)
})
