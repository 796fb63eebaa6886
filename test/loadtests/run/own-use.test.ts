import { watchOwnUse } from '../../../loadtests/src/run/own-use.ts'

const computing = (milliseconds: number) => {
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < milliseconds * 1000) Math.sqrt(2)
}

test('is what this process computes while it measures', async () => {
  const use = watchOwnUse()
  const begun = performance.now()
  await use.during(async () => computing(100))
  expect(use.cores()! * (performance.now() - begun)).toBeGreaterThanOrEqual(100)
})

test('is not what it computes before and after', async () => {
  const use = watchOwnUse()
  computing(50)
  expect(use.cores()).toBeNull()
  await use.during(() => new Promise((resolve) => setTimeout(resolve, 10)))
  const before = use.cores()
  computing(50)
  expect(use.cores()).toBe(before)
})

test('counts also work that failed', async () => {
  const use = watchOwnUse()
  await expect(use.during(() => Promise.reject(new Error('n8n died')))).rejects.toThrow('n8n died')
  expect(use.cores()).not.toBeNull()
})
