import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { mergeParts, partArgs } from '../../../loadtests/src/load/parts.ts'
import { points } from '../../../loadtests/src/load/points.ts'
import { readSummary, type K6Summary } from '../../../loadtests/src/load/summary.ts'
import { paths, tool } from '../../../loadtests/src/lib/paths.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import type { PlannedStep } from '../../../loadtests/src/model/step.ts'

/** Three real k6 with a third of the load each, as one would have all of it. */

const folder = temporaryFolder()

test('real parts send together what one would send, and their answers are those of the whole', async () => {
  // Of twenty answers one is slow: the 90th percentile is fast, the 99th slow.
  const service = await startService((request) => ({ after: request % 20 ? 5 : 2000 }))
  const step: PlannedStep = {
    url: service.url,
    method: 'GET',
    timeout: 10,
    duration: 4,
    shape: { kind: 'constant', rate: 100 },
  }
  const env = {
    URL: step.url,
    METHOD: 'GET',
    TIMEOUT: '10',
    DURATION: '4',
    RATE: '100',
    SEED: '1',
    CLIENTS: '60',
    POINTS: String(points.length),
  }
  const parts = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const SUMMARY = join(folder, `${index}.json`)
      await execa(
        tool('k6'),
        ['run', '--quiet', '--no-usage-report', '--address=', ...partArgs(index, 3), join(paths.scenarios, 'open.ts')],
        { env: { ...env, SUMMARY } },
      )
      return JSON.parse(await readFile(SUMMARY, 'utf8')) as K6Summary
    }),
  )
  await service.close()
  const sent = parts.map(({ metrics }) => metrics.http_reqs!.values.count!)
  const whole = readSummary(mergeParts(parts), step, { endedAt: Date.now(), generatorCpu: null })
  expect(whole.accepted).toBe(400)
  expect(whole).toMatchObject({
    requests: service.requests.length,
    accepted: service.requests.length,
    failures: {},
    dropped: 0,
  })
  for (const count of sent) expect(Math.abs(count - 400 / 3)).toBeLessThanOrEqual(3)
  expect(whole.latency!.p99).toBeGreaterThanOrEqual(2000)
  expect(whole.latency!.p90).toBeLessThan(whole.latency!.p99 / 2)
})
