import { apart, TooCostly } from '../../../loadtests/src/lib/apart.ts'
import type * as Work from '../fixtures/apart-work.ts'
import { refusalOf } from '../../support/refusal.ts'

const call = apart<typeof Work>(import.meta.filename, '../fixtures/apart-work', 64)

test('plain data in and out', async () => {
  expect(await call(5, 'doubled', { list: [1, 2] })).toEqual([2, 4])
})

test('a refusal is the same here', async () => {
  expect(await refusalOf(() => call(5, 'refused'))).toMatchObject({
    code: 'odd',
    message: 'Expected 1, got 2.',
    hint: 'Give 1.',
    exit: 2,
  })
})

test('an error of ours stays one, with the place where it was thrown', async () => {
  const error = await call(5, 'broken').catch((one: Error) => one)
  expect(error).not.toBeInstanceOf(TooCostly)
  expect((error as Error).stack).toMatch(/of ours[\s\S]+apart-work/)
})

test.each(['endless', 'slowPattern', 'growing', 'deep'] as const)('ends what does not end: %s', async (name) => {
  await expect(call(0.5, name)).rejects.toBeInstanceOf(TooCostly)
  // The next one has a thread of its own.
  expect(await call(5, 'doubled', { list: [3] })).toEqual([6])
})

test('calls wait for each other, and an ended one takes none with it', async () => {
  const all = await Promise.allSettled([
    call(5, 'doubled', { list: [1] }),
    call(0.2, 'endless'),
    call(5, 'doubled', { list: [2] }),
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('meanwhile this thread is free', async () => {
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  await call(0.5, 'endless').catch(() => {})
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(5)
})
