import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { planFor, planInWords } from '../../../loadtests/src/report/fleet-plan.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'

test('where no fleet meets the objective at the upper end of the intervals, the plan says so', () => {
  const [measured] = summarise(fleetRun()).fleets!
  // Measured latencies that lie up to a thousand times above the model.
  const fleet = { ...measured!, off: { ...measured!.off!, high: 1000 } }
  const planned = planFor(fleet, { rate: 100, p95: 1, price: { cpu: 1, memory: 0.125 } })
  const text = planInWords(planned, 'n8n-tuned check --profile workers --out kept')
  expect(text).toMatch(/Workers +\d+ \(\d+ to no end\)/)
  expect(text).toContain('At the upper end of the 90 % intervals of what was measured, no fleet meets the objective.')
  expect(text).toMatch(/1\. .*check --profile workers (?!--out)/)
})
