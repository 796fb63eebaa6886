import { endUntilGone } from '../../../../loadtests/src/targets/local/container.ts'

test('what could not be ended at once, since it was still being made, is ended again', async () => {
  let asked = 0
  let leave = () => {}
  const gone = new Promise<void>((resolve) => (leave = resolve))
  await endUntilGone(async () => void (++asked === 3 && leave()), gone)
  expect(asked).toBe(3)
})
