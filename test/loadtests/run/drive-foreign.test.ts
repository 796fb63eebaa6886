import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { peakOf } from '../../../loadtests/src/load/course.ts'
import { driveForeign, rise } from '../../../loadtests/src/run/drive-foreign.ts'
import type { Measure } from '../../../loadtests/src/run/step.ts'
import { command } from '../../support/command.ts'
import { besideOthers } from '../../support/neighbours.ts'
import { startService, type Answer } from '../../support/service.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import type { Step } from '../../../loadtests/src/model/step.ts'

interface Asked {
  asked: (number | string)[]
  risen: unknown
}

/** An n8n that the lab did not start: what it is asked for, until `most` a second is too much for it. */
async function asked(
  drive: (measure: Measure) => Promise<unknown>,
  { most = Infinity, slowFrom = Infinity, clients = Infinity } = {},
): Promise<Asked> {
  const asked: Asked['asked'] = []
  const risen = await drive(async (shape) => {
    const rate = shape.kind === 'constant' ? shape.rate : shape.kind === 'course' ? peakOf(shape) : null
    const atOnce = shape.kind === 'closed' ? shape.vus : shape.kind === 'course' ? shape.waiting : 0
    asked.push(rate === null ? `${atOnce} clients` : atOnce ? `${rate} and ${atOnce} at once` : rate)
    const misses = (rate ?? 0) > most || atOnce > clients
    const because = misses ? ['stopped-by-latency'] : rate === 1 ? ['too-few'] : []
    return {
      load: { rate, throughput: rate, latency: { mean: 20, p50: 20, p95: (rate ?? 0) >= slowFrom ? 90 : 30 } },
      holds: because.length === 0,
      reasons: because.map((code) => ({ code })),
    } as unknown as Step
  })
  return { asked, risen }
}

const others = { p95: 500 }
const timeout = 30
const driven = async (load: Parameters<typeof driveForeign>[0], n8n = {}) =>
  (await asked((measure) => driveForeign(load, measure, others), n8n)).asked

test('the rate doubles from one a second on while answers stay as quick, and never passes the most', async () => {
  expect((await asked((measure) => rise(measure, 20, others))).asked).toEqual([1, 2, 4, 8, 16, 20])
  expect((await asked((measure) => rise(measure, 0.5, others))).asked).toEqual([0.5])
})

test('it rises by a quarter as soon as answers take longer', async () => {
  const { asked: rates } = await asked((measure) => rise(measure, 12, others), { slowFrom: 4 })
  expect(rates).toEqual([1, 2, 4, 5, 6.25, 7.81, 9.76, 12])
})

test('the first rate that misses is the answer: no shape sends a higher one', async () => {
  const n8n = { most: 10 }
  const up = [1, 2, 4, 8, 16]
  expect(await driven({ shape: 'constant', rate: 60, duration: 20, timeout }, n8n)).toEqual(up)
  expect(await driven({ shape: 'mixed', rate: 60, weights: {}, duration: 20, timeout }, n8n)).toEqual(up)
  expect(await driven({ shape: 'ramp', from: 2, to: 90, duration: 60, timeout }, n8n)).toEqual(up)
  expect(await driven({ shape: 'spike', rate: 2, peak: 90, duration: 60, timeout }, n8n)).toEqual(up)
  expect(await driven({ shape: 'soak', rate: 90, duration: 60, timeout }, n8n)).toEqual(up)
  const search = await driven({ shape: 'search', min: 0.5, max: 2000, step: 20, precision: 0.05, timeout }, n8n)
  // What held is driven for longer.
  expect(search).toEqual([...up, 8])
})

test('a load that was shown to hold is sent', async () => {
  expect(await driven({ shape: 'constant', rate: 5, duration: 20, timeout })).toEqual([1, 2, 4, 5, 5])
  expect(await driven({ shape: 'spike', rate: 2, peak: 6, duration: 60, timeout })).toEqual([1, 2, 4, 6, 6])
})

test('clients, and callers who come at once, become more only while the objective holds', async () => {
  const closed = { shape: 'closed', vus: 30, duration: 20, timeout } as const
  expect(await driven(closed)).toEqual([1, 2, 4, '1 clients', '3 clients', '7 clients', '15 clients', '30 clients'])
  expect(await driven(closed, { clients: 5 })).toEqual([1, 2, 4, '1 clients', '3 clients', '7 clients'])
  const herd = { shape: 'herd', rate: 2, waiting: 8, duration: 20, timeout } as const
  const atOnce = (waiting: number) => `2 and ${waiting} at once`
  expect(await driven(herd)).toEqual([1, 2, atOnce(1), atOnce(2), atOnce(4), atOnce(8)])
  expect(await driven(herd, { clients: 1 })).toEqual([1, 2, atOnce(1), atOnce(2)])
})

/** The real command and the real k6, against a server that answers as somebody's n8n would. */
describe('somebody’s n8n', () => {
  const folder = temporaryFolder()
  // Their rates are low, and their answers at once: beside each other they are as quick.
  const together = test.concurrent
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

  together(
    'that answers with errors hears a handful of requests, and the verdict says why',
    async () => {
      const load = '{ shape: search, min: 1, max: 500 }'
      const { exit, err, requests, result } = await check('broken', load, (request) => ({
        status: request > 4 ? 503 : 200,
      }))
      expect(exit).toBe(3)
      expect(requests).toBeLessThan(15)
      expect(result.verdict).toMatchObject({ holds: false, reasons: [{ code: 'stopped-by-errors' }] })
      expect(err).toContain('The load ended by itself')
    },
    60_000,
  )

  together(
    'that fails under load is not asked for more, and what held before is kept',
    async () => {
      // From the beginning of the measured load on, of every four answers one is an error.
      const { exit, requests, result } = await check(
        'failing',
        '{ shape: constant, rate: 20, duration: 120s }',
        (n) => ({
          status: n > 300 && n % 4 === 0 ? 500 : 200,
        }),
      )
      expect(exit).toBe(3)
      // 120 s at 20 a second would be 2,400.
      expect(requests).toBeLessThan(600)
      expect(result.verdict.reasons.map(({ code }) => code)).toEqual(['stopped-by-errors'])
      expect(result.verdict.at).toBe(20)
    },
    240_000,
  )

  together(
    'whose errors stay below a tenth is loaded to the end',
    async () => {
      const { exit, result } = await check('uneven', '{ shape: constant, rate: 10, duration: 10s }', (n) => ({
        status: n % 15 === 0 ? 500 : 200,
      }))
      expect(exit).toBe(3)
      // Of the answers that count for latency, those that failed are late.
      expect(result.verdict.reasons.map(({ code }) => code)).toEqual(['errors', 'latency'])
      const load = result.steps.at(-1)!.load
      expect(load.endedAt - load.startedAt).toBeGreaterThan(9500)
    },
    90_000,
  )

  test('whose answers become slow is asked for nothing higher, and the rate that held is told', async () => {
    const made = { kind: 'queue', workers: 1, service: { mean: 1000 / 11, spread: 'fixed' } } as const
    const load = '{ shape: constant, rate: 60, duration: 30s }'
    const seeds = [0, 1]
    const all = await Promise.all(
      seeds.map((seed) =>
        besideOthers({ seed, folder, others: 4, arrivals: seed ? 'even' : 'random', server: made, load }),
      ),
    )
    for (const { exit, result, before, during, refused, out } of all) {
      expect(exit).toBe(3)
      const rates = result.steps.map(({ load }) => load.rate!)
      const held = result.capacity!.rate
      expect(held).toBeLessThan(8)
      expect(Math.max(...rates)).toBeLessThan(12)
      expect(result.verdict.at).toBe(rates.at(-1))
      expect(result.verdict.reasons[0]!.code).toMatch(/^(stopped-by-)?latency$/)
      expect(result.steps.every(({ purpose }) => purpose === 'warm-up')).toBe(true)
      expect(out).toContain('nothing higher was sent')
      expect(refused).toBe(0)
      expect(during).toBeLessThan(3 * before)
    }
  }, 400_000)
})
