import { usageOf } from '../../../../loadtests/src/targets/local/usage.ts'

test('no container holds more than the kernel ever charged it with', async () => {
  const whole = (await usageOf(null, [process.pid])).rss!
  expect((await usageOf(null, [process.pid], whole / 2)).rss).toBe(whole / 2)
  expect((await usageOf(null, [process.pid], Infinity)).rss).toBeGreaterThan(whole / 2)
})
