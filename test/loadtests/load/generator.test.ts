import { lastWords, rarelyCollecting } from '../../../loadtests/src/load/generator.ts'
import { busyShare } from '../../../loadtests/src/load/k6.ts'

/** A look every quarter of a second: two seconds to make the clients, four of load, four of waiting for answers. */
const looks = Array.from({ length: 41 }, (_, index) => {
  const second = index / 4
  return { at: 1000 * second, seconds: 0.5 * Math.min(2, second) + 0.95 * Math.min(4, Math.max(0, second - 2)) }
})

describe('how busy it was', () => {
  test('is what the generator used while it drove load', () => {
    expect(busyShare(looks, 2000, 6000, 1)).toBeCloseTo(0.95)
    expect(busyShare(looks, 2000, 6000, 2)).toBeCloseTo(0.475)
  })

  test('would be hidden by what it does before and after', () => {
    expect(busyShare(looks, 0, 10_000, 1)).toBeLessThan(0.5)
  })

  test('is not known of a step too short to look twice', () => {
    expect(busyShare(looks, 2100, 2200, 1)).toBeNull()
    expect(busyShare([], 0, 1000, 1)).toBeNull()
  })
})

test('Go may let ten times its memory pile up, within what there is', () => {
  expect(rarelyCollecting(750 * 2 ** 20 + 1)).toEqual({ GOGC: '1000', GOMEMLIMIT: '750MiB' })
})

describe('the last words of k6', () => {
  test('are its last fifteen lines', () => {
    expect(lastWords(Array.from({ length: 20 }, (_, line) => `${line}`))).toEqual(
      Array.from({ length: 15 }, (_, line) => `${line + 5}`),
    )
  })

  test('leave out what may be secret', () => {
    expect(lastWords(['Get "https://n8n.test/webhook?key=1234": EOF'])).toEqual([
      'Get "https://n8n.test/webhook?…": EOF',
    ])
  })

  test('end where a line is too long to be read', () => {
    expect(lastWords(['a'.repeat(1000)])).toEqual([`${'a'.repeat(300)}…`])
  })
})
