import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { planFor, planInWords } from '../../../loadtests/src/report/fleet-plan.ts'
import { fleetRun } from '../fixtures/fleet-runs.ts'

test('where no fleet meets the objective for sure, the plan says so', () => {
  const [measured] = summarise(fleetRun()).fleets!
  // What an execution takes of its worker is hardly known: alone, it may take longer than the objective.
  const demands = measured!.demands.map((one) => (one.part === 'worker' ? { ...one, within: 10 } : one))
  const planned = planFor({ ...measured!, demands }, { rate: 100, p95: 0.15, price: { cpu: 1, memory: 0.125 } })
  const text = planInWords(planned, 'n8n-tuned check --profile workers --out kept')
  expect(text).toMatch(/Workers +\d+ \(\d+ with luck\)/)
  expect(text).toContain('No fleet is sure to meet the objective')
  expect(text).toMatch(/1\. .*check --profile workers (?!--out)/)
})

test('what would make it surer is the command of the run, without the files that it wrote', () => {
  const [measured] = summarise(fleetRun()).fleets!
  const planned = planFor(measured!, { rate: 100, p95: 1, price: { cpu: 1, memory: 0.125 } })
  const text = planInWords(planned, "n8n-tuned size --workflow orders --rate 100 --write 'my values.yaml'")
  expect(text).toContain('./n8n-tuned size --workflow orders --rate 100 --')
  expect(text).not.toContain('--write')
})
