import { driveStep, driveWhole, traceStep } from '../../../loadtests/src/load/k6.ts'
import { cutShort } from '../../../loadtests/src/judge/verdict.ts'
import type { PlannedStep } from '../../../loadtests/src/model/step.ts'
import { options, started, together, type Given } from '../fixtures/k6.ts'

/** What was sent is what was planned, or it is said. */

const constant: Partial<PlannedStep> = { duration: 4, shape: { kind: 'constant', rate: 25 } }
const clients: Partial<PlannedStep> = { duration: 4, shape: { kind: 'closed', vus: 3 } }
const toService = async (over: Partial<PlannedStep>): Promise<PlannedStep> => {
  const { url } = await started(() => ({ after: 20 }))
  return { url, method: 'GET', timeout: 5, duration: 1, shape: { kind: 'constant', rate: 25 }, ...over }
}

/** Asks k6 to end, once, as somebody else on its machine may, two seconds after it began. */
const disturbed: Given = {
  onCores: (argv) => ['timeout', '--foreground', '--preserve-status', '--signal=INT', '2', ...argv],
}

together('all of a load that nothing disturbed, at a rate and by clients that wait', async () => {
  for (const load of [constant, clients]) {
    const { requests, planned } = await driveWhole({ ...(await toService(load)), duration: 1 }, options())
    expect(planned).toBe(requests)
  }
})

together('a rate that something else ended says how many requests were planned, and is not measured', async () => {
  const load = await driveStep(await toService(constant), options(disturbed))
  expect(load.requests).toBeLessThan(90)
  expect(load.planned).toBe(100)
  expect(cutShort(load)).toMatchObject({ code: 'generator-behind', by: 'unsent' })
})

together('so do clients that wait', async () => {
  const load = await driveStep(await toService(clients), options(disturbed))
  expect(load.planned).toBeGreaterThan(1.3 * load.requests)
  expect(cutShort(load)).toMatchObject({ code: 'generator-behind', by: 'unsent' })
})

together('a load that the lab itself ended, or a rule of its scenario, is no other than planned', async () => {
  const step = await toService({ ...constant, duration: 30 })
  expect(cutShort(await driveWhole(step, options({ endEarly: () => true })))).toBeNull()
  const late = await driveWhole(step, options({ p95: 5, giveUp: 0.05 }))
  expect(late.requests).toBeLessThan(700)
  expect(cutShort(late)).toBeNull()
})

together('what nothing judges fails: a warm-up, and the load of a fault', async () => {
  await expect(driveWhole(await toService(clients), options(disturbed))).rejects.toMatchObject({ code: 'load-cut' })
  await expect(traceStep(await toService(constant), 'ntr', options(disturbed))).rejects.toMatchObject({
    code: 'load-cut',
    message: expect.stringMatching(/^Expected 100 requests/),
  })
})
