import { onInterrupt } from '../../../loadtests/src/cli/interrupt.ts'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s asks for an orderly end, and says so once', (name) => {
  let said = 0
  const { signal, release } = onInterrupt(
    () => said++,
    () => {},
  )
  expect(signal.aborted).toBe(false)
  process.emit(name, name)
  process.emit(name, name)
  release()
  expect([signal.aborted, said]).toEqual([true, 1])
})

test('released, signals do what they always do', () => {
  const before = process.listenerCount('SIGINT')
  onInterrupt(
    () => {},
    () => {},
  ).release()
  expect(process.listenerCount('SIGINT')).toBe(before)
})

test('told again, it ends at once', () => {
  let ended = 0
  const { release } = onInterrupt(
    () => {},
    () => ended++,
  )
  process.emit('SIGINT', 'SIGINT')
  expect(ended).toBe(0)
  process.emit('SIGINT', 'SIGINT')
  release()
  expect(ended).toBe(1)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command with %d, at once or in order', (name, code) => {
  let atOnce: number | undefined
  const { exit, release } = onInterrupt(
    () => {},
    (given) => (atOnce = given),
  )
  process.emit(name, name)
  process.emit(name, name)
  release()
  expect([exit(), atOnce]).toEqual([code, code])
})

test('without a signal, what ends early is a failure', () => {
  const { exit, release } = onInterrupt(
    () => {},
    () => {},
  )
  release()
  expect(exit()).toBe(1)
})
