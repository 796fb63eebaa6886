import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths } from '../../../loadtests/src/lib/paths.ts'
import { root } from '../../support/command.ts'

/** docs/contributing/upstream: what n8n could take. */

const names = globSync('files/patches/*.js', { cwd: paths.chart })
  .map((file) => basename(file, '.js'))
  .filter((name) => !['loader', 'metrics'].includes(name))
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

test.each(names)('%s has a page with its test, its change, its figures and what n8n says of it', (name) => {
  const page = readFileSync(join(root, `docs/contributing/upstream/${kebab(name)}.md`), 'utf8')
  expect(page).toContain(`charts/n8n-tuned/files/patches/${name}.js`)
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'See it fail',
    'The change',
    'Figures',
    "n8n's own issue",
  ])
  const [tests] = /test\/chart\/patches\/\w+\.test\.ts/.exec(page)!
  expect(existsSync(join(root, tests))).toBe(true)
})

test('the folder has no page of a patch that is gone', () => {
  const pages = globSync('docs/contributing/upstream/*.md', { cwd: root }).map((file) => basename(file, '.md'))
  expect(pages.filter((page) => page !== 'README').sort()).toEqual(names.map(kebab).sort())
})
