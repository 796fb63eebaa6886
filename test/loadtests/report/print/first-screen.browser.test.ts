import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { summarise } from '../../../../loadtests/src/judge/summarise.ts'
import type { Summary } from '../../../../loadtests/src/model/summary.ts'
import { renderHtml } from '../../../../loadtests/src/report/render.ts'
import { objectionsTo } from '../../../support/axe.ts'
import { launch, open } from '../../../support/chromium.ts'
import { cell, constant, end, run, step } from '../../fixtures/records.ts'
import { checkRun, gateRun, quickRun, tuneRun } from '../../fixtures/runs.ts'

const one = [{ name: 'tuned', values: {} }]
const kinds: Record<string, Summary> = {
  search: summarise(checkRun()),
  need: summarise(checkRun(), { need: 50 }),
  rate: summarise([run({ experiment: { load: constant, variants: one } }), cell(0), step(0, 50), end()]),
  comparison: summarise(quickRun({ repeat: 3, warnings: ['The machine was busy.'] })),
  nothing: summarise([run({ experiment: { variants: one } }), cell(0), step(0, 5, { because: ['latency'] }), end()]),
  gate: summarise(gateRun()),
  tune: summarise(tuneRun()),
}
const signed = ['What to set', 'Trade-off', 'What limits it', 'What was measured']

let browser: Browser
const dir = mkdtempSync(join(tmpdir(), 'first-screen-'))
const fileOf = (kind: string) => join(dir, `${kind}.html`)

beforeAll(async () => {
  for (const [kind, summary] of Object.entries(kinds)) writeFileSync(fileOf(kind), renderHtml(summary, []))
  browser = await launch()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  rmSync(dir, { recursive: true, force: true })
})

const each = test.each(Object.keys(kinds))

each(
  '%s: the first screen has the question, the answer, and what goes with a signature',
  async (kind) => {
    const { page } = await open(browser, fileOf(kind), { width: 1280, scheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
    const [told, hidden] = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('h1, .lead, .card, .decision dt, .decision dd')]
      const below = all.filter((part) => part.innerText.trim() === '' || part.getBoundingClientRect().bottom > 800)
      const named = all.filter(({ tagName }) => tagName === 'DT').map((part) => part.innerText)
      return [named, below.map((part) => part.outerHTML)]
    })
    const [rate, ...others] = told
    expect(['Safe rate', 'Your rate']).toContain(rate)
    expect(others).toEqual(signed)
    expect(hidden).toEqual([])
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('.card').count()).toBeGreaterThan(0)
    await page.context().close()
  },
  60_000,
)

test.each([
  ['search', 1280],
  ['need', 390],
  ['rate', 1280],
  ['comparison', 1280],
  ['comparison', 390],
  ['nothing', 390],
  ['gate', 1280],
  ['tune', 390],
] as const)(
  '%s at %s px: axe has no objection, the console is silent, nothing is wider than the window',
  async (kind, width) => {
    const { page, misdeeds } = await open(browser, fileOf(kind), { width, scheme: 'light' })
    expect(await objectionsTo(page)).toEqual([])
    expect(misdeeds).toEqual({ console: [], errors: [], requests: [] })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.context().close()
  },
  60_000,
)

each(
  '%s: printed it takes two pages at most',
  async (kind) => {
    const { page } = await open(browser, fileOf(kind), { width: 1280, scheme: 'dark' })
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(2)
    await page.context().close()
  },
  60_000,
)

each(
  '%s: on a phone the number comes before everything else but the question',
  async (kind) => {
    const { page } = await open(browser, fileOf(kind), { width: 390, scheme: 'light' })
    const top = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((part) => part.getBoundingClientRect().top)
    const figure = await top('.card .figure')
    expect(figure).toBeLessThan(300)
    for (const later of ['.kicker', '.lead', '.objective', '.decision'])
      expect(await top(later)).toBeGreaterThan(figure)
    await page.context().close()
  },
  60_000,
)
