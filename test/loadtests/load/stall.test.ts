import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { aboveOf } from '../../../loadtests/src/model/distribution.ts'
import { uncounted } from '../../../loadtests/src/judge/accounting.ts'
import { judge } from '../../../loadtests/src/judge/verdict.ts'
import { requestsDue, sendersFor } from '../../../loadtests/scenarios/schedule.ts'
import { mostUnderWay, scheduleOf } from '../../../loadtests/src/load/step.ts'
import { options, toUrl } from '../fixtures/k6.ts'
import type { PlannedStep } from '../../../loadtests/src/model/step.ts'

/**
 * The real k6 against a server that answers nothing for five seconds, in the middle of half a minute. It needs the
 * machine for itself: where others use it, k6 is behind, and says so.
 */

const slo = { p95: 500, errors: 0.001, backlog: 0.05 }
const duration = 30
const stall = { from: 12_000, to: 17_000 }
/** Milliseconds that an answer may take from the server to its caller while thousands of them are on their way. */
const onTheWay = 200

/** It says when each request came and was answered, by its number in the load, from 0 on. */
async function stallingServer() {
  const seen = new Map<number, { came: number; answered: number }>()
  let begun = 0
  const server = createServer((request, response) => {
    const came = performance.now()
    const into = came - (begun ||= came)
    const answer = () => {
      seen.set(Number(new URL(request.url!, 'http://here').searchParams.get('n')) - 1, {
        came,
        answered: performance.now(),
      })
      response.end('{}')
    }
    if (into >= stall.from && into < stall.to) setTimeout(answer, stall.to - into)
    else answer()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen, server }
}

test.concurrent.each([20, 100, 200])(
  'a stall of 5 s at %d/s is as many late requests as it was, and never the generator’s fault',
  async (rate) => {
    const { url, seen, server } = await stallingServer()
    const step: PlannedStep = {
      url,
      method: 'GET',
      requests: [
        {
          url: `${url}?n={{counter}}`,
          method: 'GET',
          headers: {},
          body: null,
          weight: 1,
          table: null,
          expect: { status: null, json: null, text: null },
        },
      ],
      timeout: 30,
      duration,
      shape: { kind: 'constant', rate },
      seed: rate,
    }
    const load = await toUrl(url, step, { p95: slo.p95 })
    server.close()

    const schedule = { ...scheduleOf(step), arrivals: 'random', seed: rate } as const
    const of = sendersFor(schedule, mostUnderWay(step, slo.p95, options().generator), 1)
    // Each sender begins by itself, on a busy machine one later than the other.
    const waits = Array.from({ length: of }, (_, index) => {
      const due = [...requestsDue(schedule, { index, of })]
      const start = Math.min(...due.map(({ number, second }) => seen.get(number)!.came - 1000 * second))
      return due
        .filter(({ second }) => second >= 2)
        .map(({ number, second }) => seen.get(number)!.answered - (start + 1000 * second))
    }).flat()
    const longerThan = (milliseconds: number) => waits.filter((wait) => wait > milliseconds).length
    const truth = longerThan(slo.p95)
    const counted = aboveOf(load.distribution!, slo.p95)
    if (process.env.SHOW_FIGURES)
      process.stderr.write(`${rate}/s: ${counted.late} late, in truth ${truth} to ${longerThan(slo.p95 - onTheWay)}\n`)

    expect(load).toMatchObject({ requests: duration * rate, accepted: duration * rate, failures: {}, dropped: 0 })
    expect(counted.of).toBe(waits.length)
    // Due in the stall, but in its last half second.
    expect(truth).toBeGreaterThan(3.5 * rate)
    // A caller has its answer later than the server sends it, by as much as the machine is busy. So no late one is
    // missed, but for those within a bin of the objective, and none is late that had time to spare.
    expect(counted.late).toBeGreaterThanOrEqual(0.98 * truth)
    expect(counted.late).toBeLessThanOrEqual(1.02 * longerThan(slo.p95 - onTheWay))
    const verdict = judge(
      { load, accounting: uncounted(load.accepted), exits: [], limitOf: () => null, untuned: false },
      slo,
    )
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['latency'])
  },
  120_000,
)
