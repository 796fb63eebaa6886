import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parse } from 'yaml'
import { faultNames } from '../../loadtests/src/fault/faults.ts'
import { ReasonCode } from '../../loadtests/src/model/step.ts'
import { root } from '../support/command.ts'

/** Every page says whom it is for, and leads where its links say. */

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)))
const text = (page: string): string => readFileSync(join(root, page), 'utf8')
const generated = ['charts/n8n-tuned/VALUES.md']
const pages = files.filter((page) => !generated.includes(page))

test.each(pages)('%s says in its first sentence whom it is for and what it does', (page) => {
  const [title, first] = text(page).split('\n\n')
  expect(title).toMatch(/^# /)
  expect(first?.replaceAll('\n', ' ').replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')).toMatch(/^For [^.:]+[.:] /)
})

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = text(page)
    .replaceAll(/```[^]*?```/g, '')
    .matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Links within the repository: `[to, anchor]`. */
function linksOf(page: string): [string, string | undefined][] {
  const links = [
    ...text(page)
      .replaceAll(/```[^]*?```/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link]) => link!)
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor] = link.split('#')
      return [path === '' ? page : relative(root, join(root, dirname(page), path!)), anchor]
    })
}

test.each(files)('the links of %s lead somewhere', (page) => {
  const broken = linksOf(page).filter(
    ([to, anchor]) =>
      !existsSync(join(root, to)) || (anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).includes(anchor)),
  )
  expect(broken).toEqual([])
})

test('docs has at most 23 pages for operators, beside evidence and what contributors read', () => {
  expect(pages.filter((page) => /^docs\/[\w-]+\.md$/.test(page)).length).toBeLessThanOrEqual(23)
})

const words = (page: string) => text(page).split(/\s+/).filter(Boolean).length

test('README is read in two minutes, and shows one picture', () => {
  expect(words('README.md')).toBeLessThanOrEqual(450)
  expect([...text('README.md').matchAll(/!\[/g)]).toHaveLength(1)
})

test('every command has its time', () => {
  const rows = text('docs/commands.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((cells) => cells.length !== 3 || cells[2]!.trim() === '')).toEqual([])
})

test('docs/README.md leads to every page of docs', () => {
  const linked = linksOf('docs/README.md').map(([to]) => to)
  expect(
    pages.filter((page) => /^docs\/[\w-]+\.md$/.test(page) && page !== 'docs/README.md' && !linked.includes(page)),
  ).toEqual([])
})

test('docs/evidence/README.md leads to every page of evidence', () => {
  const linked = linksOf('docs/evidence/README.md').map(([to]) => to)
  expect(
    pages.filter(
      (page) => /^docs\/evidence\/[\w-]+\.md$/.test(page) && !page.endsWith('README.md') && !linked.includes(page),
    ),
  ).toEqual([])
})

test.each([
  ['rules.yaml', 'alerts', 9],
  ['_capacity.tpl', 'sizing', 2],
])('every alert of %s has its runbook in %s.md', (file, page, least) => {
  const rules = readFileSync(join(root, 'charts/n8n-tuned/templates/monitoring', file), 'utf8')
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert!.toLowerCase())
  expect(alerts.length).toBeGreaterThan(least)
  expect([...rules.matchAll(/runbook_url: .*#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(alerts)
  expect(anchorsOf(`docs/${page}.md`)).toEqual(expect.arrayContaining(alerts))
})

test('every section about a reason is about one that there is', () => {
  const sections = [...text('docs/broke-by.md').matchAll(/^## ([a-z-]+)$/gm)].map(([, code]) => code)
  expect(sections.length).toBeGreaterThan(10)
  expect(ReasonCode.options).toEqual(expect.arrayContaining(sections))
})

test('every fault has its row', () => {
  const rows = text('docs/resilience.md').matchAll(/^\| (`.+?) \|/gm)
  const named = [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([a-z-]+)[`=]/g)].map(([, name]) => name!))
  expect(named).toEqual(expect.arrayContaining(faultNames))
})

test('the workflows of the list are those of the folder', () => {
  const there = execFileSync('git', ['ls-files', 'workflows/*.json', 'workflows/ops/*.json'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => !file.includes('builtin'))
  expect(linksOf('workflows/README.md').map(([to]) => to)).toEqual(expect.arrayContaining(there))
})

test.each(['bug', 'capacity', 'feature'])('the issue form %s asks questions', (form) => {
  const { name, body } = parse(readFileSync(join(root, `.github/ISSUE_TEMPLATE/${form}.yml`), 'utf8'))
  expect(name).toMatch(/\w/)
  for (const { id, attributes } of body)
    expect([id, attributes.label]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
})
