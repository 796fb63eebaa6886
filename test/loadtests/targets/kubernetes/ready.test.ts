import { webhookReadyInCluster } from '../../../../loadtests/src/targets/kubernetes/ready.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** How often a workflow in a cluster is executed until its webhook answers. */

type Asked = { status: number; text: string } | null

/** Answers in turn; the last one stays. */
async function asking(answers: Asked[], idle?: true, onFailed?: () => void) {
  const at: number[] = []
  let time = 0
  const api = {
    ask: async () => answers[Math.min(at.push(time), answers.length) - 1]!,
  }
  const clock = { now: () => time, wait: async (milliseconds: number) => void (time += milliseconds), onFailed }
  const webhook = { method: 'GET', path: '/webhook/http?key=1', ...(idle && { idle }) }
  const signal = new AbortController().signal
  const ready = webhookReadyInCluster(api, 'n8n', { name: 'main', port: 5678 }, webhook, signal, clock)
  await ready.catch(() => {})
  return { ready, at }
}

const ok = { status: 200, text: '{}' }
const missing = { status: 404, text: 'The requested webhook "GET http" is not registered.' }
const noPod = { status: 503, text: '{"kind":"Status","reason":"ServiceUnavailable"}' }
const failing = { status: 500, text: '{"message":"Error in workflow"}' }

test('once, where it answers', async () => {
  const { ready, at } = await asking([null, noPod, missing, ok])
  expect(await ready).toBe(1)
  expect(at).toHaveLength(4)
  expect(await (await asking([missing, ok], true)).ready).toBe(0)
})

test('once in ten seconds, where it fails at first', async () => {
  const { ready, at } = await asking([failing, failing, ok])
  expect(at).toEqual([0, 10_000, 20_000])
  expect(await ready).toBe(3)
})

test('seven times at most, and then it says where to look, and how services are mocked', async () => {
  const { ready, at } = await asking([failing])
  expect(at).toHaveLength(7)
  expect(await refusalOf(() => ready)).toMatchObject({
    code: 'never-ready',
    message: 'Expected main to become ready, but GET /webhook/http failed 7 times.',
    hint: expect.stringContaining('mocked by rules (--outside)'),
  })
})

test('once, where a failure is told: with mocked services it would fail again', async () => {
  let told = 0
  const { ready, at } = await asking([missing, failing], undefined, () => void told++)
  expect(await ready).toBe(1)
  expect([at.length, told]).toEqual([2, 1])
})
