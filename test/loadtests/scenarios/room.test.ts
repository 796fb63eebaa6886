import { roomFor } from '../../../loadtests/scenarios/room.ts'

/** How many requests may be under way at somebody else's n8n. */

/** A server that works on `lanes` requests at a time, each 100 ms, while requests always wait in the generator. */
function sizesAt(lanes: number, { least = 1, most = 50, answers = 200 } = {}): number[] {
  const room = roomFor({ usual: 100, least, most })
  return Array.from({ length: answers }, () => {
    room.answered(100 * Math.max(1, room.size() / lanes), true)
    return room.size()
  })
}

test('one at a time, where n8n works on one at a time: a second one only makes all wait', () => {
  const sizes = sizesAt(1)
  expect(Math.max(...sizes)).toBe(2)
  expect(sizes.slice(16).every((size) => size === 1)).toBe(true)
})

test('as many as it works on at a time, and hardly more', () => {
  const last = sizesAt(10).at(-1)!
  expect(last).toBeGreaterThanOrEqual(10)
  expect(last).toBeLessThanOrEqual(15)
})

test('never fewer than the rate needs, never more than the objective allows', () => {
  expect(Math.min(...sizesAt(1, { least: 3 }))).toBe(3)
  expect(Math.max(...sizesAt(1000, { most: 7 }))).toBe(7)
})

test('while the usual time is unknown, and while nothing waits, it stays', () => {
  const unknown = roomFor({ usual: null, least: 1, most: 4 })
  unknown.answered(9000, true)
  expect(unknown.size()).toBe(4)
  const idle = roomFor({ usual: 100, least: 2, most: 4 })
  for (let answer = 0; answer < 20; answer++) idle.answered(100, false)
  expect(idle.size()).toBe(3)
})
