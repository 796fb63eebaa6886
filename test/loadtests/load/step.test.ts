import { clientsFor, lateMost, mostUnderWay } from '../../../loadtests/src/load/step.ts'
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

  test('are whole', () => {
    expect(clientsFor(33.3, 333)).toBe(Math.floor(clientsFor(33.3, 333)))
  })
})

describe('requests under way', () => {
  const step = (rate: number) => ({ shape: { kind: 'constant', rate }, duration: 60 }) as const

  test('are as many as the objective needs, where memory allows', () => {
    expect(mostUnderWay(step(1000), 500, { memory: 12 * 2 ** 30 })).toBe(6010)
  })

  test('are within the memory of a small generator, and more with more of them', () => {
    const memory = 0.75 * 2 ** 30
    expect(mostUnderWay(step(10_000), 1000, { memory })).toBe(12_288)
    expect(mostUnderWay(step(10_000), 1000, { memory, parts: 3 })).toBe(36_864)
  })

  test('are no more than the connections that a machine can open to one address', () => {
    expect(mostUnderWay(step(50_000), 1000, { memory: 2 ** 40 })).toBe(25_000)
  })

  test('have room for those that come at once', () => {
    const herd = { kind: 'course' as const, from: 10, stages: [{ rate: 10, seconds: 60 }], waiting: 300 }
    expect(mostUnderWay({ shape: herd, duration: 60 }, 250, { memory: 2 ** 30 })).toBe(370)
  })
})

describe('a step', () => {
  test('settles for a tenth of its time, two seconds at most', () => {
    expect([settling(5), settling(20), settling(60)]).toEqual([0.5, 2, 2])
  })

  test('may have a twentieth of its answers late', () => {
    expect(lateMost(0.05, 100, 20)).toBe(90)
    expect(lateMost(0.05, 1, 10)).toBe(0)
  })
})
