import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { summarise } from '../../../../loadtests/src/judge/summarise.ts'
import { renderHtml } from '../../../../loadtests/src/report/render.ts'
import { seriesOf } from '../../../../loadtests/src/report/series.ts'
import { objectionsTo } from '../../../support/axe.ts'
import { launch, type Look, open } from '../../../support/chromium.ts'
import { command } from '../../../support/command.ts'
import { fleetRun } from '../../fixtures/fleet-runs.ts'

/** The sliders of a report run the model that `plan` runs: both say the same, to the digit. */

const looks: Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

let browser: Browser
const dir = mkdtempSync(join(tmpdir(), 'fleet-'))
const records = fleetRun()
const rates = [40, 250, 500]
const planned: string[] = []

beforeAll(async () => {
  writeFileSync(join(dir, 'run.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  writeFileSync(join(dir, 'report.html'), renderHtml(summarise(records), seriesOf(records)))
  for (const rate of rates)
    planned.push((await command('plan', dir, '--rate', `${rate}`, '--price', 'cpu=23,memory=3')).out)
  browser = await launch()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  rmSync(dir, { recursive: true, force: true })
})

async function move(page: Page, to: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(to))
    await page.locator(`.fleet [name=${name}]`).evaluate((input: HTMLInputElement, text) => {
      input.value = text
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, String(value))
}

/** What stands beside a name, in the page and in `plan`. */
const shown = (page: Page) =>
  page
    .locator('.fleet dl > div')
    .evaluateAll((all) =>
      Object.fromEntries(all.map((one) => [one.children[0]!.textContent!, one.children[1]!.textContent!])),
    )

const said = (out: string, name: string) => new RegExp(`^  ${name} +(.*)$`, 'm').exec(out)?.[1]

test.each(looks)(
  'at $width px the sliders say what plan says, for three rates',
  async (look) => {
    const { page, misdeeds } = await open(browser, join(dir, 'report.html'), look)
    for (const [at, rate] of rates.entries()) {
      const out = planned[at]!
      const [worker, webhook] = ['Workers', 'Webhook processors'].map((role) =>
        Number(/^\d+/.exec(said(out, role)!)![0]),
      )
      await move(page, { rate, worker: worker!, webhook: webhook!, cpu: 23, memory: 3 })
      const figures = await shown(page)
      expect(Object.keys(figures)).toHaveLength(7)
      for (const [name, text] of Object.entries(figures)) expect([name, text]).toEqual([name, said(out, name)])
    }
    expect(misdeeds).toEqual({ console: [], errors: [], requests: [] })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await objectionsTo(page)).toEqual([])
    await page.context().close()
  },
  120_000,
)

test('each slider moves what it should', async () => {
  const { page } = await open(browser, join(dir, 'report.html'), looks[0]!)
  const before = await shown(page)
  await move(page, { rate: 500 })
  expect(await shown(page)).toMatchObject({ p95: 'grows without end' })
  await move(page, { rate: 36, worker: 8 })
  const more = await shown(page)
  expect(more.Cost).not.toBe(before.Cost)
  expect(parseFloat(more['Sustains within the objective']!)).toBeGreaterThan(
    parseFloat(before['Sustains within the objective']!),
  )
  await move(page, { workerCpu: 0.5 })
  const slower = await shown(page)
  expect(parseFloat(slower.p95!)).toBeGreaterThan(parseFloat(more.p95!))
  await move(page, { workerMebibytes: 2048 })
  expect((await shown(page)).Cost).not.toBe(slower.Cost)
  await page.context().close()
})
