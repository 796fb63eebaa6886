import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { webhookAnswers } from './cases/webhook-answers.ts'
import { webhookRequests } from './cases/webhook-requests.ts'
import { compareSides, type Comparison } from './run.ts'

/** Mistakes on one side; the suite has to find each where it was made. */
const names = ['answers custom headers and type', 'a JSON body']
const cases = [...webhookAnswers.cases, ...webhookRequests.cases].filter(({ name }) => names.includes(name))
let comparison: Comparison

beforeAll(async () => {
  const patched = { NODE_OPTIONS: `--require ${join(import.meta.dirname, 'fixtures/plants.cjs')}` }
  comparison = await compareSides({
    version: '2.41.1',
    setup: 'sqlite',
    parts: [[{ name: 'webhooks', cases }]],
    env: { plain: {}, patched },
  })
}, 600_000)

test('a changed header is seen in its answer, and nothing in another', () => {
  const [changed, other] = names.map((name) => comparison.cases[name]!)
  expect(changed).toEqual({ failures: [], differences: [{ path: '[0].headers.x-answer', left: '42', right: '43' }] })
  expect(other).toEqual({ failures: [], differences: [] })
})

test('a column that is not written is seen in each row', () => {
  const paths = comparison.seen[0]!.tables.map(({ path, right }) => `${path} ${right}`)
  expect(paths.sort()).toEqual(
    ['wh-a-json-body#1', 'wh-answers-custom-headers-and-#1'].map(
      (row) => `tables.execution_entity.${row}.stoppedAt null`,
    ),
  )
})

test('a lost line of the event log is seen', () => {
  const lost = comparison.seen[0]!.events.map(
    ({ left, right }) => `${(left as { eventName: string }).eventName} ${right}`,
  )
  expect(lost).toEqual(['n8n.workflow.success (nothing)', 'n8n.workflow.success (nothing)'])
})

test('nothing else is', () => {
  const { metrics, files, calls } = comparison.seen[0]!
  expect([metrics, files, calls]).toEqual([[], [], []])
})
