import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { objectionsTo } from '../../support/axe.ts'
import { root } from '../../support/command.ts'
import { launch } from '../../support/chromium.ts'
import { plantSmallN8n, smallN8n } from '../../support/small-n8n/plant.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** The live page during a real search, on a wide window and on a phone, until it is the report. */

const folder = temporaryFolder()
const cache = join(folder, 'cache')
const docs = join(root, 'docs')
const widths = [1280, 390]
/** For what a busy machine takes its time for. */
const timeout = 300_000
/** `PICTURES=1` writes the pictures of the docs, from a real n8n. */
const pictures = Boolean(process.env.PICTURES)
const question = pictures
  ? 'What does n8n sustain on this machine, on its own defaults and tuned?'
  : 'How many requests per second does it sustain?'

let browser: Browser
let lab: ChildProcess
let ended: Promise<number>
let url: string
const misdeeds: string[] = []
const pages = new Map<number, Page>()

beforeAll(async () => {
  if (!pictures) plantSmallN8n(cache)
  mkdirSync(folder, { recursive: true })
  const profile = join(folder, 'small.yaml')
  writeFileSync(
    profile,
    `name: small
question: ${question}
base: { image: { tag: ${smallN8n} } }
variants: { n8n-defaults: { tuning: { tier: n8n-defaults } }, tuned: {} }
workflows: [ping-webhook]
load: { shape: search, min: 5, max: 40, step: 5s, precision: 10%, timeout: 5s }
slo: { p95: 2s, errors: 5% }
`,
  )
  browser = await launch()
  const measured = pictures ? ['capacity', '--when-quiet'] : [profile, '--repeat', '1']
  const words = ['compare', '--profile', ...measured, '--live', '--out', join(folder, 'run')]
  lab = spawn(join(root, 'node_modules/.bin/node'), ['--no-warnings', 'loadtests/src/main.ts', ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(!pictures && { N8N_TUNED_CACHE: cache }), TMPDIR: folder },
  })
  ended = once(lab, 'close').then(([code]) => code as number)
  url = await addressOf(lab)
  lab.stderr!.resume()
  for (const width of widths) pages.set(width, await open(width))
}, 2 * timeout)

afterAll(async () => {
  await browser?.close()
  lab?.kill('SIGINT')
  await ended
})

/** As a user reads it in the terminal. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = ''
  for await (const piece of stderr!.iterator({ destroyOnReturn: false })) {
    said += String(piece)
    const found = /^Live: (\S+)\n/m.exec(said)
    if (found) return found[1]!
  }
  throw new Error(`Expected an address, got:\n${said}`)
}

async function open(width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light' })
  const page = await context.newPage()
  page.on('console', (message) => misdeeds.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => misdeeds.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) misdeeds.push(request.url())
  })
  await page.goto(url)
  return page
}

const drawn = (page: Page) => page.locator('.chart canvas').count()

test('closing a page changes nothing for the others', async () => {
  const third = await open(800)
  await third.close()
  await expect(pages.get(1280)!.locator('h1').textContent()).resolves.toBe(question)
})

test.each(widths)(
  'at %s px figures move, and each step is in the table when it has ended',
  async (width) => {
    const page = pages.get(width)!
    const figures = () => page.locator('#figures').textContent()
    await page.locator('#rate canvas').waitFor({ timeout })
    const before = await figures()
    await page.waitForFunction((then) => document.querySelector('#figures')!.textContent !== then, before, { timeout })
    await page.locator('td.held, td.broke').first().waitFor({ timeout })
    await page.locator('#search canvas').waitFor({ timeout })
    await page.locator('#answer canvas').waitFor({ timeout })
    expect(await drawn(page)).toBe(6)
  },
  2 * timeout,
)

const picture = pictures ? test : test.skip
picture(
  'the pictures of the docs show a search that has narrowed',
  async () => {
    await pages.get(1280)!.locator('td:is(.held, .broke)').nth(3).waitFor({ timeout })
    for (const [width, name] of [
      [1280, 'live'],
      [390, 'live-phone'],
    ] as const)
      await pages.get(width)!.screenshot({ path: join(docs, `${name}.png`), fullPage: true, animations: 'disabled' })
  },
  2 * timeout,
)

test.each(widths)(
  'at %s px axe has no objection, and nothing is wider than the window',
  async (width) => {
    const page = pages.get(width)!
    expect(await objectionsTo(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
  60_000,
)

test(
  'after the first configuration it says how long the rest takes',
  async () => {
    const page = pages.get(1280)!
    // Two that take turns end together.
    await page.locator('.plan .good').first().waitFor({ timeout })
    await page.locator('tbody:nth-of-type(2) td').first().waitFor({ timeout })
    await expect(page.locator('#now').textContent()).resolves.toMatch(/About .* left|ends soon/)
  },
  2 * timeout,
)

test.each(widths)(
  'at %s px it becomes the report when the run ends, and the console stayed silent',
  async (width) => {
    const page = pages.get(width)!
    await page.locator('.decision').waitFor({ timeout })
    await expect(page.locator('footer').textContent()).resolves.toContain('Written by n8n-tuned')
    expect(await objectionsTo(page)).toEqual([])
    expect(misdeeds).toEqual([])
  },
  2 * timeout,
)

test(
  'the run ends with its verdict, and the page with it',
  async () => {
    // Which verdict it is, is the machine's affair.
    expect([exitCodes.met, exitCodes.missed, exitCodes.invalid]).toContain(await ended)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  },
  2 * timeout,
)
