import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { beginLow, driveForeign } from '../../../loadtests/src/run/drive-foreign.ts'
import type { Measure } from '../../../loadtests/src/run/step.ts'
import { command } from '../../support/command.ts'
import { startService, type Answer } from '../../support/service.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'

/** An n8n that the lab did not start: the rates it is asked at, until `most` a second is too much for it. */
async function asked(drive: (measure: Measure) => Promise<unknown>, most = Infinity): Promise<(number | 'clients')[]> {
  const rates: (number | 'clients')[] = []
  await drive(async (shape) => {
    const rate = shape.kind === 'constant' ? shape.rate : shape.kind === 'course' ? shape.from : null
    rates.push(rate ?? 'clients')
    const because = rate !== null && rate > most ? ['latency'] : rate === 1 ? ['too-few'] : []
    return {
      load: { rate, throughput: rate },
      holds: because.length === 0,
      reasons: because.map((code) => ({ code })),
    } as unknown as Step
  })
  return rates
}

test('the rate doubles from one a second on, and never passes the most', async () => {
  expect(await asked((measure) => beginLow(measure, 20))).toEqual([1, 2, 4, 8, 16, 20])
  expect(await asked((measure) => beginLow(measure, 0.5))).toEqual([0.5, 0.5, 0.5])
})

test('it grows no more once n8n does not keep up', async () => {
  expect(await asked((measure) => beginLow(measure, 200), 10)).toEqual([1, 2, 4, 8, 16])
})

test('a load on it begins low, whatever its shape', async () => {
  const timeout = 30
  const rates = (load: Parameters<typeof driveForeign>[0]) => asked((measure) => driveForeign(load, measure), 10)
  expect(await rates({ shape: 'constant', rate: 5, duration: 20, timeout })).toEqual([1, 2, 4, 5, 5])
  expect(await rates({ shape: 'ramp', from: 2, to: 90, duration: 60, timeout })).toEqual([1, 2, 2, 2])
  expect(await rates({ shape: 'closed', vus: 8, duration: 20, timeout })).toEqual([1, 2, 4, 'clients'])
  const search = await rates({ shape: 'search', min: 0.5, max: 2000, step: 20, precision: 0.05, timeout })
  expect(search.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 8])
  expect(search).not.toContain('clients')
})

/** The real command and the real k6, against a server that answers as somebody's n8n would. */
describe('somebody’s n8n', () => {
  const folder = temporaryFolder()
  const steady = (name: string, load: string) =>
    write(folder, `${name}.yaml`, `name: ${name}\nquestion: Does it?\nworkflows: [ping-webhook]\nload: ${load}\n`)

  async function check(name: string, load: string, answer: (request: number) => Answer) {
    const n8n = await startService(answer)
    const out = join(folder, name)
    const profile = await steady(name, load)
    const said = await command('check', '--target', n8n.url, '--yes', '--profile', profile, '--out', out)
    await n8n.close()
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
    return { ...said, requests: n8n.requests.length, result: summary.results[0]! }
  }

  test('that answers with errors hears a handful of requests, and the verdict says why', async () => {
    const load = '{ shape: search, min: 1, max: 500 }'
    const { exit, err, requests, result } = await check('broken', load, (request) => ({
      status: request > 4 ? 503 : 200,
    }))
    expect(exit).toBe(3)
    expect(requests).toBeLessThan(15)
    expect(result.verdict).toMatchObject({ holds: false, reasons: [{ code: 'stopped-by-errors' }] })
    expect(err).toContain('The load ended by itself')
  }, 60_000)

  test('that fails under load is not asked for more, and what held before is kept', async () => {
    // From about the eighth second on, of every four answers one is an error.
    const { exit, requests, result } = await check('failing', '{ shape: constant, rate: 20, duration: 120s }', (n) => ({
      status: n > 150 && n % 4 === 0 ? 500 : 200,
    }))
    expect(exit).toBe(3)
    // 120 s at 20 a second would be 2,400.
    expect(requests).toBeLessThan(600)
    expect(result.verdict.reasons.map(({ code }) => code)).toEqual(['stopped-by-errors'])
    expect(result.verdict.at).toBe(20)
  }, 90_000)

  test('whose errors stay below a tenth is loaded to the end', async () => {
    const { exit, result } = await check('uneven', '{ shape: constant, rate: 10, duration: 10s }', (n) => ({
      status: n % 15 === 0 ? 500 : 200,
    }))
    expect(exit).toBe(3)
    // Of the answers that count for latency, those that failed are late.
    expect(result.verdict.reasons.map(({ code }) => code)).toEqual(['errors', 'latency'])
    const load = result.steps.at(-1)!.load
    expect(load.endedAt - load.startedAt).toBeGreaterThan(9500)
  }, 90_000)
})
