import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { planFor, planInWords } from '../../../loadtests/src/report/fleet-plan.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'

test('where no fleet meets the objective for sure, the plan says so', () => {
  const [measured] = summarise(fleetRun()).fleets!
  // What an execution takes of its worker is hardly known: alone, it may take longer than the objective.
  const demands = measured!.demands.map((one) => (one.part === 'worker' ? { ...one, within: 10 } : one))
  const planned = planFor({ ...measured!, demands }, { rate: 100, p95: 0.15, price: { cpu: 1, memory: 0.125 } })
  const text = planInWords(planned, 'n8n-tuned check --profile workers --out kept')
  expect(text).toMatch(/Workers +\d+ \(\d+ to no end\)/)
  expect(text).toContain('No fleet meets the objective 19 times in 20.')
  expect(text).toMatch(/1\. .*check --profile workers (?!--out)/)
})
