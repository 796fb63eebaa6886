import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { historyOf } from '../../../../loadtests/src/judge/history.ts'
import { verdictInWords } from '../../../../loadtests/src/report/gate-words.ts'
import { writeHistory } from '../../../../loadtests/src/report/history.ts'
import { launch, open } from '../../../support/chromium.ts'
import { threeOfTen } from '../../fixtures/history.ts'

/** The page of ten runs of three configurations, as a reader opens it. */

const folder = mkdtempSync(join(tmpdir(), 'history-'))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const runs = threeOfTen()
let browser: Browser
let words: string

beforeAll(async () => {
  for (const run of runs) {
    mkdirSync(join(folder, run.id))
    writeFileSync(join(folder, run.id, 'summary.json'), JSON.stringify(run))
  }
  const dirs = runs.map(({ id }) => join(folder, id)).toReversed()
  ;({ words } = await writeHistory(dirs, () => Promise.reject(new Error('Every run has its summary'))))
  browser = await launch()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([1280, 390])(
  'at a width of %d all runs stand in their order, and nothing is wrong with the page',
  async (width) => {
    const { page, misdeeds } = await open(browser, join(folder, 'index.html'), { width, scheme: 'light' })
    const linked = await page.locator('tbody th a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect([...new Set(linked)]).toEqual(runs.map(({ id }) => `${id}/report.html`))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.evaluate(axe)
    const violations = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe
        .run()
        .then((found) => found.violations.map(({ id }) => id)),
    )
    expect(violations).toEqual([])
    expect(misdeeds).toEqual({ console: [], errors: [], requests: [] })
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${width}.png`), fullPage: true })
    await page.context().close()
  },
)

test('two runs that the reader chooses are compared as compare does', async () => {
  const { page } = await open(browser, join(folder, 'index.html'), { width: 1280, scheme: 'light' })
  const [earlier, later] = [runs[2]!.id, runs[7]!.id]
  await page.selectOption('#earlier', earlier)
  await page.selectOption('#later', later)
  const { gate, changed } = historyOf(runs).pairs.find((pair) => pair.earlier === earlier && pair.later === later)!
  const said = await page.locator('#verdicts > ul').first().locator('li').allTextContents()
  expect(said).toEqual(gate.verdicts.map((one) => `${one.verdict} ${verdictInWords(one, gate)}`))
  const differences = await page.locator('#verdicts > ul').last().locator('li').allTextContents()
  expect(differences).toEqual(
    changed.map(({ what, from, to }) => `${what}: ${String(from ?? 'not set')} → ${String(to ?? 'not set')}`),
  )
  await page.context().close()
})

test('a terminal has the same runs in the same order', () => {
  const ids = words
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(' ')[0])
  expect([...new Set(ids)]).toEqual(runs.map(({ id }) => id))
})
