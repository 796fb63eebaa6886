import { areas, type Area } from '../../../../loadtests/src/judge/explain/areas.ts'
import { explanationOf } from '../../../../loadtests/src/judge/explain/explanation.ts'
import type { ExplainedProcess } from '../../../../loadtests/src/model/explanation.ts'
import type { TierInForce } from '../../../../loadtests/src/model/tier.ts'

function process(cpu: number, shares: Partial<Record<Area, number>>): ExplainedProcess {
  const told = (Object.entries(shares) as [Area, number][]).map(([area, amount]) => ({
    area,
    what: areas[area].label,
    amount,
    share: amount / cpu,
  }))
  return { process: 'main-0', elapsed: 10, cpu, unexplained: 0, idle: 0.5, shares: told, allocated: [] }
}

const tier = (name: string, over: Partial<TierInForce> = {}): TierInForce => ({
  name,
  givesUp: [],
  trustsEditors: false,
  patches: [],
  applied: [],
  skipped: [],
  ...over,
})
const defaults = tier('n8n-defaults')

test('the largest share over all processes is named, with what to set', () => {
  const explanation = explanationOf(
    10,
    [process(4, { isolates: 3, database: 1 }), process(4, { executions: 2.5, isolates: 1.5 })],
    defaults,
  )
  expect(explanation).toMatchObject({
    largest: 'isolates',
    text: 'The largest share of n8n’s CPU time at 10/s went into expression isolates: 56 % of 0.8 cores.',
  })
  expect(explanation.advice).toMatch(/^Set tuning.tier: tuned\. .*N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE/)
})

test('what is set already is not advised', () => {
  const told = (known: TierInForce, area: Area = 'isolates') =>
    explanationOf(10, [process(4, { [area]: 3 })], known).advice
  expect(told(tier('tuned'))).toMatch(/leave expressions out.*tuning\.tier: patched.*tuning\.trustEditors/)
  expect(told(tier('tuned'))).not.toContain('tuning.tier: tuned')
  expect(told(tier('patched', { patches: ['fastIsolates'], trustsEditors: true }))).toMatch(
    /leave expressions out[^:]*\.$/,
  )
  expect(told(tier('tuned'), 'events')).toContain('tuning.tier: lean')
  for (const area of ['events', 'executions', 'database'] as const)
    expect(told(tier('lean'), area)).not.toContain('tuning.')
})

test('the profile itself is nothing to act on', () => {
  expect(explanationOf(null, [process(4, { profiling: 3, http: 1 })], null).largest).toBe('http')
})

test('an n8n that did nothing has nothing to explain', () => {
  expect(explanationOf(null, [], null)).toMatchObject({ largest: null, advice: '' })
})

test.each((Object.keys(areas) as Area[]).filter((area) => area !== 'profiling'))(
  '%s comes with something to do',
  (area) => {
    for (const known of [null, defaults]) expect(areas[area].advice(known)).toMatch(/\.$/)
  },
)
