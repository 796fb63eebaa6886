import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Browser } from 'playwright-core'
import type { Summary } from '../../../../loadtests/src/model/summary.ts'
import { answered } from '../../../../loadtests/src/judge/answer.ts'
import { summarise } from '../../../../loadtests/src/judge/summarise.ts'
import { livePage, updateOf } from '../../../../loadtests/src/report/live/page.ts'
import { viewOf } from '../../../../loadtests/src/report/live/view.ts'
import { watch } from '../../../../loadtests/src/report/live/watched.ts'
import { renderHtml } from '../../../../loadtests/src/report/render.ts'
import { seriesOf } from '../../../../loadtests/src/report/series.ts'
import { objectionsTo } from '../../../support/axe.ts'
import { launch, type Look, open, readThrough } from '../../../support/chromium.ts'
import {
  closedRun,
  explainedRun,
  gateRun,
  matrixRun,
  queueRun,
  quickRun,
  tuneRun,
  wideRun,
  workersRun,
} from '../../fixtures/runs.ts'
import { cell, experiment, step } from '../../fixtures/records.ts'
import type { RunRecord } from '../../../../loadtests/src/model/record.ts'

const LOOKS: Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

let browser: Browser
const dir = mkdtempSync(join(tmpdir(), 'report-'))

/** Also with what a report is shown least: a run that was cut short, and its warnings. */
const pages: Record<string, RunRecord[]> = {
  comparison: quickRun({ repeat: 2, warnings: ['The machine was busy.'] }),
  matrix: matrixRun(),
  closed: closedRun(),
  tune: tuneRun(),
  workers: workersRun(),
  queue: queueRun(),
  gate: gateRun(),
  explained: explainedRun(),
  interrupted: quickRun().slice(0, 120),
}

beforeAll(async () => {
  for (const [name, records] of Object.entries(pages)) {
    writeFileSync(join(dir, `${name}.html`), renderHtml(summarise(records), seriesOf(records)))
  }
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(dir, { recursive: true, force: true })
})

const cases = Object.keys(pages).flatMap((name) =>
  (name === 'comparison' ? LOOKS : [LOOKS[0], LOOKS[3]]).map((look) => ({ name, ...look })),
)

test.each(cases)(
  '$name at $width px, $scheme: silent, offline, no wider than the window, and every chart is drawn',
  async ({ name, ...look }) => {
    const { page, misdeeds } = await open(browser, join(dir, `${name}.html`), look)
    await readThrough(page)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const blank = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.chart')]
        .filter((chart) => {
          const canvas = chart.querySelector('canvas')
          if (!canvas) return true
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
          return !data.some((value) => value !== 0)
        })
        .map((chart) => chart.id),
    )
    expect(misdeeds).toEqual({ console: [], errors: [], requests: [] })
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await page.locator('.chart').count()).toBeGreaterThan(0)
    expect(blank).toEqual([])
    await page.context().close()
  },
)

// The first screen has a test of its own, which looks at the other kinds.
test.each([
  ['comparison', 'dark'],
  ['matrix', 'light'],
  ['workers', 'dark'],
  ['queue', 'light'],
  ['explained', 'dark'],
] as const)('axe finds nothing to object to in %s, %s', async (name, scheme) => {
  const { page } = await open(browser, join(dir, `${name}.html`), { width: 1280, scheme })
  await readThrough(page)
  expect(await objectionsTo(page)).toEqual([])
  await page.context().close()
})

test('charts follow the reader’s colour scheme while the page is open', async () => {
  const { page } = await open(browser, join(dir, 'comparison.html'), LOOKS[0])
  await readThrough(page)
  const drawn = () => page.evaluate(() => document.querySelector('canvas')!.toDataURL())
  const light = await drawn()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForTimeout(200)
  expect(await drawn()).not.toBe(light)
  await page.context().close()
})

test('pointing at a step tells its figures', async () => {
  const { page } = await open(browser, join(dir, 'closed.html'), LOOKS[0])
  const chart = page.locator('[id="first-latency"]')
  await chart.scrollIntoViewIfNeeded()
  const over = chart.locator('.u-over')
  const box = (await over.boundingBox())!
  const tip = chart.locator('.tip')
  // The marks of the second variant are at the right edge; where exactly is the chart's affair.
  for (let y = 0; y < box.height && !(await tip.isVisible()); y += 20)
    await over.hover({ position: { x: box.width * 0.95, y } })
  await expect(tip.textContent()).resolves.toMatch(/^main\n8[\d.]+\/s answered, p95 13[\d.]* ms: held$/)
  await page.context().close()
})

test('the live page shows an answer of one step as a dot: there is no line yet', async () => {
  const watched = watch([{ cell: 0, variant: 'tuned', workflow: 'ping-webhook', matrix: {} }], experiment())
  for (const record of [cell(0), step(0, 40)]) watched.recorded(record)
  const told = { title: 'quick', question: 'How much?', objective: 'p95', doing: '40/s', since: 0, left: null }
  const update = updateOf(viewOf(watched, { objective: 500, searched: true, repeat: 1 }), told)
  writeFileSync(join(dir, 'live.html'), livePage(told, update).page)
  const { page } = await open(browser, join(dir, 'live.html'), LOOKS[0])
  await page.locator('#answer canvas').waitFor()
  const painted = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('#answer canvas')!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--series-2').trim()
    const own = parseInt(colour.slice(1), 16)
    return data.filter((red, at) => at % 4 === 0 && ((red << 16) | (data[at + 1]! << 8) | data[at + 2]!) === own).length
  })
  expect(painted).toBeGreaterThan(10)
  await page.context().close()
})

test('a narrower window redraws the charts to fit', async () => {
  const { page } = await open(browser, join(dir, 'comparison.html'), LOOKS[0])
  await readThrough(page)
  await page.setViewportSize({ width: 600, height: 900 })
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.chart canvas')].every((canvas) => canvas.getBoundingClientRect().width <= 600),
  )
  await page.context().close()
})

test('a run of 24 cells opens in under two seconds', async () => {
  const path = join(dir, 'wide.html')
  writeFileSync(path, renderHtml(summarise(wideRun()), seriesOf(wideRun())))
  const opened: number[] = []
  for (let time = 0; time < 3; time++) {
    const { page } = await open(browser, path, LOOKS[0])
    // Until everything is there and something of it was painted.
    opened.push(
      await page.evaluate(async () => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const painted = await new Promise<number>((resolve) =>
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
            type: 'paint',
            buffered: true,
          }),
        )
        return Math.max(navigation!.loadEventEnd, painted)
      }),
    )
    await page.context().close()
  }
  // The best of three: what the machine does beside it is not the report's.
  expect(Math.min(...opened)).toBeLessThan(2000)
})

/** `PICTURES=1` writes the pictures of the docs, from the run in docs/evidence. */
if (process.env.PICTURES)
  test('the docs show the report as it is', async () => {
    const docs = join(import.meta.dirname, '../../../../docs')
    const run = await promisify(gunzip)(readFileSync(join(docs, 'evidence/raw/quick.json.gz')))
    // It is older than the answer that a summary has today.
    writeFileSync(join(dir, 'docs.html'), renderHtml(answered(JSON.parse(String(run)) as Summary), []))
    for (const [name, width, height, media] of [
      ['report', 1280, 800, 'screen'],
      ['report-phone', 390, 844, 'screen'],
      ['report-print', 703, 1032, 'print'],
    ] as const) {
      const { page } = await open(browser, join(dir, 'docs.html'), { width, scheme: 'light' })
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ media })
      await page.screenshot({ path: join(docs, `${name}.png`), animations: 'disabled' })
      await page.context().close()
    }
  })
