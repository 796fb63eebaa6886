import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Summary } from '../../loadtests/src/model/summary.ts'
import { filesHolding, filesIn } from '../support/files-holding.ts'

/**
 * A list as n8n exports it: a webhook with header auth that reads its body, and an error workflow. The sub-workflow
 * looks a price up in a data table.
 */
const orders = join(import.meta.dirname, 'fixtures/orders.json')
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 's3cret-of-the-shop'
const given = (name: string, content: object) => {
  writeFileSync(join(folder, name), JSON.stringify(content))
  return join(folder, name)
}
const credentials = given('credentials.json', [
  { id: 'cred1', name: 'Shop key', type: 'httpHeaderAuth', data: { name: 'x-shop-key', value: secret } },
])
const dataTables = given('tables.json', {
  id: 'prices1',
  name: 'prices',
  columns: [
    { name: 'item', type: 'string' },
    { name: 'price', type: 'number' },
  ],
  rows: [
    { item: 'pen', price: 2.5 },
    { item: 'book', price: 12 },
  ],
})

interface Run {
  code: number
  dir: string
  said: string
  summary: Summary
}

function check(name: string, request: object): Promise<Run> {
  const dir = join(folder, name)
  const args = [
    'check',
    '--rate',
    '2',
    '--quick',
    '--repeat',
    '1',
    '--slo',
    'p95=20s,backlog=100%',
    '--workflow',
    orders,
    '--credentials',
    credentials,
    '--data-tables',
    dataTables,
    '--request',
    given(`${name}.json`, request),
    '--out',
    dir,
  ]
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` }
  return new Promise((resolve) =>
    execFile(join(root, 'node_modules/.bin/n8n-tuned'), args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({
        code: Number(error?.code ?? 0),
        dir,
        said: stdout + stderr,
        summary: JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')),
      })
    }),
  )
}

const measured = ({ summary }: Run) => summary.results[0]!.steps.find(({ purpose }) => purpose === 'measure')!

describe('a workload of one’s own, on a real n8n', () => {
  let run: Run
  beforeAll(async () => {
    run = await check('right', {
      body: { order: '{{counter}}', item: 'book' },
      expect: { status: 200, json: { '$.order': '{{counter}}', '$.price': 12 } },
    })
  }, 600_000)

  it('is answered as each request expects', () => {
    const { load, accounting } = measured(run)
    expect(load.failures).toEqual({})
    expect(load.accepted).toBeGreaterThan(15)
    expect(accounting).toMatchObject({ failed: 0, lost: 0 })
    expect(run.code).toBe(0)
  })

  it('leaves its secrets in no file of the run and in no word that was said', () => {
    expect(filesIn(run.dir).length).toBeGreaterThan(5)
    expect(filesHolding(run.dir, secret)).toEqual([])
    expect(run.said).not.toContain(secret)
  })
})
