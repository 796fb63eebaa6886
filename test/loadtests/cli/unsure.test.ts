import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import type { Summary } from '../../../loadtests/src/model/summary.ts'
import { command } from '../../support/command.ts'
import { plantSmallN8n, smallN8n } from '../../support/small-n8n/plant.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Each command as it is typed, with the real k6: what chance may have decided ends with exit code 4. */

const folder = temporaryFolder()
const cache = join(folder, 'cache')
plantSmallN8n(cache)
process.env.N8N_TUNED_CACHE = cache
const together = test.concurrent
const timeout = 300_000

/** At least 59 answers show that 95 % of them are in time, if all are. */
const few = '{ shape: constant, rate: 6, duration: 5s, timeout: 5s }'
const enough = '{ shape: constant, rate: 40, duration: 5s, timeout: 5s }'
const search = '{ shape: search, min: 20, max: 40, step: 5s, precision: 50%, budget: 20s, timeout: 5s }'

function profileOf(name: string, load: string, more = ''): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(
    file,
    `name: ${name}
question: Is it sure?
base: { image: { tag: ${smallN8n} } }
variants: { one: {} }
workflows: [ping-webhook]
load: ${load}
slo: { p95: 5s, errors: 5% }
${more}
`,
  )
  return file
}

async function lab(verb: string, name: string, profile: string, ...more: string[]) {
  const dir = join(folder, `${name}-run`)
  const { exit } = await command(verb, '--profile', profile, '--out', dir, ...more)
  const { results, worth } = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')) as Summary
  return { exit, result: results[0]!, worth }
}

together(
  'a rate that too few answers held',
  async () => {
    const { exit, result } = await lab('check', 'few', profileOf('few', few), '--repeat', '1')
    expect(result.verdict).toMatchObject({ holds: true, unsure: [{ objective: 'p95' }] })
    expect(exit).toBe(exitCodes.invalid)
  },
  timeout,
)

together(
  'a share of a sure capacity that was held too briefly',
  async () => {
    const { exit, result } = await lab('check', 'held', profileOf('held', search, 'hold: { for: 1s }'), '--repeat', '1')
    expect(result.verdict.unsure ?? []).toEqual([])
    expect(result.operating!.held).toMatchObject({ unsure: true })
    expect(exit).toBe(exitCodes.invalid)
  },
  timeout,
)

together(
  'a size whose only look was too short',
  async () => {
    const profile = profileOf('sizes', few, 'matrix: { main.resources.limits.cpu: [1] }')
    const { exit } = await lab('size', 'sizes', profile, '--price', 'cpu=23,memory=3', '--grid')
    expect(exit).toBe(exitCodes.invalid)
  },
  timeout,
)

together(
  'the worth of a setting by one round',
  async () => {
    const { exit, result, worth } = await lab(
      'tune',
      'worth',
      profileOf('worth', enough),
      ...['--repeat', '1', '--setting', 'lazyIsolates', '--rate', '40', '--quick'],
    )
    expect(result.verdict.holds).toBe(true)
    expect(worth).toContainEqual(expect.objectContaining({ finding: 'unsure' }))
    expect(exit).toBe(exitCodes.invalid)
  },
  timeout,
)
