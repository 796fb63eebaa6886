import { calibrate, type CalibrationMeans } from '../../../../loadtests/src/run/calibrate/calibrate.ts'
import { processGenerator } from '../../../../loadtests/src/load/process.ts'
import type { LoadResult } from '../../../../loadtests/src/model/load-result.ts'
import { paths } from '../../../../loadtests/src/lib/paths.ts'
import { localTarget } from '../../../../loadtests/src/targets/local/local.ts'
import type { PlannedStep } from '../../../../loadtests/src/model/step.ts'

let running = 0
const start: CalibrationMeans['start'] = async () => {
  const target = await localTarget(processGenerator)
  const { url } = await target.serve!(paths.bareServer, { cpu: null, memory: null })
  running++
  return { url, stop: () => target.close().then(() => void running--) }
}
const result = (over: Partial<LoadResult> = {}) => ({ throughput: 812, latency: { p95: 14 }, ...over }) as LoadResult

test('the calibration is what a bare handler on these cores answers to a few clients', async () => {
  const steps: PlannedStep[] = []
  const answers: string[] = []
  const drive = async (step: PlannedStep) => {
    steps.push(step)
    answers.push(await (await fetch(step.url)).text())
    return result()
  }
  expect(await calibrate({ start, drive })).toEqual({ rate: 812, p95: 14 })
  expect(steps).toMatchObject([{ method: 'GET', shape: { kind: 'closed', vus: 8 } }])
  expect(answers).toEqual([String((500_000 * 499_999) / 2)])
  expect(running).toBe(0)
})

test('the handler ends also when its measurement fails', async () => {
  await expect(calibrate({ start, drive: () => Promise.reject(new Error('no k6')) })).rejects.toThrow('no k6')
  expect(running).toBe(0)
})

test('answers that never came have no latency', async () => {
  expect(await calibrate({ start, drive: async () => result({ throughput: 0, latency: null }) })).toEqual({
    rate: 0,
    p95: 0,
  })
})
