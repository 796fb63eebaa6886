import { unlimited } from '../../../../../loadtests/src/targets/local/limits/choose.ts'

test('without limits a command runs as it is, and what nobody counts is not known', async () => {
  const box = await unlimited.box('main-0', { cpu: 1, memory: 2 ** 30 })
  expect(unlimited.enforced).toBe(false)
  expect(box.wrap(['n8n', 'start'])).toEqual(['n8n', 'start'])
  expect(await box.pids()).toBeNull()
  expect(await box.cpuSeconds()).toBeNull()
  expect(await box.oomKills()).toBe(0)
})
