import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A real browser that sends no requests by itself. */
export function launch(): Promise<Browser> {
  const executablePath = PLACES.find((place) => place && existsSync(place))
  if (!executablePath)
    throw new Error('Expected Chromium to be installed (apt-get install chromium) or CHROMIUM to name it, found none')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface Look {
  width: number
  scheme: 'light' | 'dark'
}

/** Everything a page does that a report must not: collected from before it loads. */
export interface Misdeeds {
  console: string[]
  errors: string[]
  requests: string[]
}

/** Opens a file, without a network. */
export async function open(
  browser: Browser,
  path: string,
  { width, scheme }: Look,
): Promise<{ page: Page; misdeeds: Misdeeds }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, offline: true })
  const page = await context.newPage()
  const misdeeds: Misdeeds = { console: [], errors: [], requests: [] }
  const url = `file://${path}`
  page.on('console', (message) => misdeeds.console.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => misdeeds.errors.push(String(error)))
  page.on('request', (request) => {
    if (request.url() !== url) misdeeds.requests.push(request.url())
  })
  await page.goto(url)
  return { page, misdeeds }
}

/** Scrolls through the whole page, as a reader does: what is drawn on sight is drawn then. */
export async function readThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
      window.scrollTo(0, y)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }
  })
}
