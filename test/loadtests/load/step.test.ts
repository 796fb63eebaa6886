import { clientsFor, lateMost } from '../../../loadtests/src/load/step.ts'
import { settling } from '../../../loadtests/src/model/step.ts'

/** How many requests may be under way: by Little's law, rate × time. */
describe('clients', () => {
  test('suffice for answers four times slower than the objective', () => {
    expect(clientsFor(100, 500)).toBeGreaterThanOrEqual(100 * 4 * 0.5)
  })

  test('suffice for a second, however strict the objective', () => {
    expect(clientsFor(100, 1)).toBeGreaterThanOrEqual(100)
  })

  test('suffice for a slow rate to keep its schedule', () => {
    expect(clientsFor(0.5, 500)).toBeGreaterThan(10)
  })

  test('grow with the rate and with the objective', () => {
    expect(clientsFor(200, 500)).toBeGreaterThan(clientsFor(100, 500))
    expect(clientsFor(100, 5000)).toBeGreaterThan(clientsFor(100, 500))
  })

  test('are whole, and no more than one machine can drive', () => {
    expect(clientsFor(33.3, 333)).toBe(Math.floor(clientsFor(33.3, 333)))
    expect(clientsFor(50_000, 60_000)).toBe(20_000)
  })
})

describe('a step', () => {
  test('settles for a tenth of its time, two seconds at most', () => {
    expect([settling(5), settling(20), settling(60)]).toEqual([0.5, 2, 2])
  })

  test('is decided once more than a twentieth of its answers are late', () => {
    expect(lateMost(100, 20)).toBe(90)
    expect(lateMost(1, 10)).toBe(0)
  })
})
