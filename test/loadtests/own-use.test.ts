import { watchOwnUse } from '../../loadtests/src/own-use.ts'

const computing = (milliseconds: number) => {
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < milliseconds * 1000) Math.sqrt(2)
}

test('is what this process computes while it measures, and not what it does before and after', async () => {
  const use = watchOwnUse()
  expect(use.cores()).toBeNull()
  await use.during(() => new Promise((resolve) => setTimeout(resolve, 50)))
  computing(200)
  expect(use.cores()!).toBeLessThan(0.9)
  const idle = use.cores()!
  await use.during(async () => computing(100))
  expect(use.cores()!).toBeGreaterThan(idle)
})

test('counts also work that failed', async () => {
  const use = watchOwnUse()
  await expect(use.during(() => Promise.reject(new Error('n8n died')))).rejects.toThrow('n8n died')
  expect(use.cores()).not.toBeNull()
})
