import type { Generator } from '../../../loadtests/src/load/generator.ts'
import { driveStep } from '../../../loadtests/src/load/k6.ts'
import { options, started } from '../fixtures/k6.ts'
import type { PlannedStep } from '../../../loadtests/src/model/step.ts'

/** Real k6, several at once: each drives its part of one load. */

function inParts(parts: number): Generator & { sent: number[] } {
  const one = options().generator
  const sent: number[] = []
  return {
    ...one,
    parts,
    sent,
    async run(work) {
      const all = await Promise.all(
        Array.from({ length: parts }, (_, part) => one.run({ ...work, env: { ...work.env, PART: String(part) } })),
      )
      sent.push(...all.map(([generated]) => JSON.parse(generated!.summary!).metrics.http_reqs?.values.count ?? 0))
      return all.flat()
    },
  }
}

const step = (url: string, more: Partial<PlannedStep> = {}): PlannedStep => ({
  url,
  method: 'GET',
  timeout: 10,
  duration: 4,
  shape: { kind: 'constant', rate: 100 },
  ...more,
})

test('real parts send together what one would send, and their answers are those of the whole', async () => {
  // Of twenty answers one is slow: the 90th percentile is fast, the 99th slow.
  const service = await started((request) => ({ after: request % 20 ? 5 : 2000 }))
  const generator = inParts(3)
  const whole = await driveStep(step(service.url), options({ generator }))
  expect(whole).toMatchObject({ requests: 400, accepted: 400, failures: {}, dropped: 0 })
  expect(service.requests).toHaveLength(400)
  for (const count of generator.sent) expect(Math.abs(count - 400 / 3)).toBeLessThanOrEqual(3)
  expect(whole.latency!.p99).toBeGreaterThanOrEqual(2000)
  expect(whole.latency!.p90).toBeLessThan(whole.latency!.p99 / 2)
})

test('clients are shared too, also where there are more parts than clients', async () => {
  const service = await started(() => ({ after: 50 }))
  const generator = inParts(3)
  const whole = await driveStep(
    step(service.url, { duration: 2, shape: { kind: 'closed', vus: 2 } }),
    options({ generator }),
  )
  // Two clients, twenty answers a second each, and none in the third part.
  expect(whole.requests).toBeLessThanOrEqual(2 * 2 * 20 + 2)
  expect(generator.sent.filter((count) => count > 0)).toHaveLength(2)
})

test('none gives up for all: a part does not know how many answers of the others were late', async () => {
  const service = await started(() => ({ after: 300 }))
  const generator = inParts(2)
  const whole = await driveStep(
    step(service.url, { shape: { kind: 'constant', rate: 20 } }),
    options({ generator, giveUp: 0.05, p95: 100 }),
  )
  expect(whole.requests).toBe(80)
})
