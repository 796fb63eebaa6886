import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { selectors, type Browser, type Page } from 'playwright-core'
import { launch } from '../support/chromium.ts'
import { startN8n, type N8n } from '../support/n8n.ts'
import { signUp } from '../support/owner-account.ts'
import { bundled } from '../workflows/files.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const { path: file } = bundled.find(({ name }) => name === 'memory-hog')!

let n8n: N8n
let browser: Browser
let page: Page

beforeAll(async () => {
  selectors.setTestIdAttribute('data-test-id')
  n8n = await startN8n('2.41.1', [], {
    env: { N8N_SECURE_COOKIE: 'false', N8N_PERSONALIZATION_ENABLED: 'false', N8N_HIDE_USAGE_PAGE: 'true' },
  })
  const { cookie } = await signUp(n8n)
  browser = await launch()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await context.addCookies([{ name, value, url: n8n.url }])
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await n8n?.stop()
})

const byId = (id: string) => page.getByTestId(id)

/** The pictures of the docs are those of this test: `PICTURES=1` writes them. */
async function picture(name: string, clip?: { x: number; y: number; width: number; height: number }): Promise<void> {
  if (!process.env.PICTURES) return
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${docs}/nodes-${name}.png`, animations: 'disabled', clip })
}

/** As a user finds it: a new workflow, and the file imported into it. */
async function importWorkflow(): Promise<void> {
  await page.goto(`${n8n.url}/workflow/new`)
  await byId('canvas-add-button').waitFor()
  await byId('workflow-import-input').setInputFiles(file)
  await canvasNode('Hold 512 MiB').waitFor()
}

const canvasNode = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`)

test('a workflow imports from its file, Load Target runs in it and shows its output', async () => {
  await importWorkflow()
  await picture('workflow', { x: 340, y: 240, width: 640, height: 390 })

  await canvasNode('Hold 512 MiB').dblclick()
  const output = byId('output-panel')
  await output.waitFor()
  await byId('node-execute-button').click()
  await output.getByText('heldMiB').first().waitFor()
  expect(await output.textContent()).toMatch(/512/)
  await picture('load-target', { x: 25, y: 25, width: 1230, height: 535 })
}, 300_000)

test('all nodes are found in the panel, by their names and by what they are for', async () => {
  await importWorkflow()
  await byId('node-creator-plus-button').click()
  const search = byId('node-creator-search-bar')
  const find = async (words: string, name: string) => {
    await search.fill(words)
    await byId('node-creator-item-name').filter({ hasText: name }).first().waitFor()
  }
  await find('load test', 'Load Target')
  await find('Load Target', 'Load Target')
  await find('backlog', 'Queue Pressure Trigger')
  await find('queue mode', 'n8n Queue')
  const { x, y, width } = (await byId('node-creator').boundingBox())!
  await picture('panel', { x, y, width, height: 300 })
}, 300_000)
