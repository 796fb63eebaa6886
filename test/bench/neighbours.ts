/**
 * How much longer do other callers of an n8n wait while the lab loads it? Made servers that sustain 11/s, a caller of
 * 4/s beside the lab, which is asked for 60/s; the real command and the real k6.
 *
 * test/bench/neighbours.ts [SEED...]      the first twenty, if none is given
 * REAL=1 test/bench/neighbours.ts [SEED...]  with a real n8n 2.41.1, one at a time
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { besideOthers, type Neighbours } from '../support/neighbours.ts'

const seeds =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : Array.from({ length: 20 }, (_, seed) => seed)
/** Servers at once: they mostly wait. */
const real = process.env.REAL === '1'
const lanes = real ? 1 : 4
const folder = await mkdtemp(join(tmpdir(), 'neighbours-'))

/** Every seed another kind of server, caller and objective. */
const madeBy = (seed: number): Neighbours => ({
  seed,
  folder,
  others: 4,
  arrivals: seed % 2 ? 'even' : 'random',
  server: real
    ? 'n8n'
    : { kind: 'queue', workers: 1, service: { mean: 1000 / 11, spread: seed % 4 < 2 ? 'fixed' : 'exponential' } },
  load: '{ shape: constant, rate: 60, duration: 30s }',
  p95: seed % 8 < 4 ? 500 : 1000,
})

const left = [...seeds]
await Promise.all(
  Array.from({ length: lanes }, async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const { server, arrivals, p95 } = madeBy(seed)
      const { exit, result, before, during, refused, seconds, err } = await besideOthers(madeBy(seed))
      const rates = result.steps.map(({ load }) => load.rate).join(' ')
      const codes = result.verdict.reasons.map(({ code }) => code).join(' ')
      const spread = server === 'n8n' ? 'n8n' : 'service' in server ? server.service.spread : ''
      const times = (during / before).toFixed(2)
      const held = result.capacity?.rate ?? 'none'
      const bad = exit !== 3 || during >= 3 * before || refused > 0
      const about = `${seed} ${spread} ${arrivals} ${p95} ms: exit ${exit}, ${times} times (${before} ms before)`
      const at = `${codes} at ${result.verdict.at}`
      const found = `${refused} refused, held ${held}, ${at}; ${rates}; ${Math.round(seconds)} s`
      process.stdout.write(`${bad ? '! ' : '  '}${about}, ${found}\n`)
      if (bad) process.stdout.write(err.split('\n').slice(-12).join('\n'))
    }
  }),
)
await rm(folder, { recursive: true })
