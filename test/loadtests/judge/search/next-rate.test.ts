import { bracket, nextRate, type SearchOptions, type Trial } from '../../../../loadtests/src/judge/search/next-rate.ts'
import { magnitude, random } from '../../../support/random.ts'

const options: SearchOptions = { start: 50, min: 0.5, max: 2000, precision: 0.05 }
/** No search may take longer, because users wait for it. */
const tooLong = 60

/** Searches a target whose answer to a rate is given; what it tried is what it knows. */
function search(holds: (rate: number) => boolean, given: Partial<SearchOptions> = {}): Trial[] {
  const tried: Trial[] = []
  while (tried.length < tooLong) {
    const rate = nextRate(tried, { ...options, ...given })
    if (rate === null) break
    tried.push({ rate, holds: holds(rate) })
  }
  return tried
}

const upTo = (capacity: number) => (rate: number) => rate <= capacity
const rates = (tried: Trial[]) => tried.map(({ rate }) => rate)
const seeds = Array.from({ length: 300 }, (_, seed) => seed)

describe('a target with a capacity', () => {
  test.each([0.7, 3, 17.5, 92, 115, 640, 1900])('of %d/s is found within the precision', (capacity) => {
    const { held, broke } = bracket(search(upTo(capacity)))
    expect(held).toBeLessThanOrEqual(capacity)
    expect(broke).toBeGreaterThan(capacity)
    expect(broke! / held!).toBeLessThanOrEqual(1.05)
  })

  test('is found wherever it is and wherever the search begins', () => {
    for (const seed of seeds) {
      const next = random(seed)
      const capacity = magnitude(next, 0.7, 1900)
      const { held, broke } = bracket(search(upTo(capacity), { start: magnitude(next, 0.01, 10_000) }))
      expect([seed, held! <= capacity && capacity < broke! && broke! / held! <= 1.05]).toEqual([seed, true])
    }
  })

  test('takes at most ten steps from the guess that a warm-up gives', () => {
    for (const seed of seeds) {
      const next = random(seed)
      const capacity = magnitude(next, 0.7, 1900)
      expect(search(upTo(capacity), { start: capacity * magnitude(next, 0.3, 2) }).length).toBeLessThanOrEqual(10)
    }
  })

  test('takes at most twenty from the worst guess', () => {
    expect(search(upTo(1900), { start: 0 }).length).toBeLessThanOrEqual(20)
    expect(search(upTo(0.7), { start: 1e9 }).length).toBeLessThanOrEqual(20)
  })

  test('takes fewer for a coarser answer', () => {
    expect(search(upTo(92), { precision: 0.2 }).length).toBeLessThan(search(upTo(92), { precision: 0.02 }).length)
  })
})

describe('the search', () => {
  test('begins with the guess', () => {
    expect(nextRate([], options)).toBe(50)
  })

  test('brings a guess outside its bounds inside', () => {
    expect(nextRate([], { ...options, start: 0 })).toBe(0.5)
    expect(nextRate([], { ...options, start: 1e6 })).toBe(2000)
  })

  test('moves away from a guess too low in growing strides', () => {
    const [first, second, third, fourth] = rates(search(upTo(Infinity))) as [number, number, number, number]
    expect(second / first).toBeLessThan(third / second)
    expect(third / second).toBeLessThan(fourth / third)
  })

  test('leaves a guess too high behind in growing strides', () => {
    expect(rates(search(upTo(10))).slice(0, 3)).toEqual([50, 43.5, 32.9])
  })

  test('ends at its upper bound where everything holds', () => {
    expect(search(() => true).at(-1)).toEqual({ rate: 2000, holds: true })
  })

  test('ends at its lower bound where nothing holds', () => {
    expect(search(() => false).at(-1)).toEqual({ rate: 0.5, holds: false })
  })

  test('asks for rates that a reader can say', () => {
    for (const rate of rates(search(upTo(640)))) expect(Number(rate.toPrecision(3))).toBe(rate)
  })

  test('ends with a precision that three figures cannot give', () => {
    expect(bracket(search(upTo(123.4), { precision: 0 }))).toEqual({ held: 123, broke: 124 })
  })
})

describe('whatever a target answers, the search', () => {
  const searches = seeds.map((seed) => {
    const next = random(seed)
    const min = magnitude(next, 0.1, 100)
    const max = min * magnitude(next, 1.01, 1000)
    const given = { min, max, start: magnitude(next, 0.01, 10_000), precision: next() * 0.3 }
    return { seed, min, max, tried: search(() => next() < 0.5, given) }
  })

  test('ends', () => {
    expect(searches.filter(({ tried }) => tried.length >= tooLong).map(({ seed }) => seed)).toEqual([])
  })

  test('stays inside its bounds', () => {
    for (const { min, max, tried } of searches) {
      expect(Math.min(...rates(tried))).toBeGreaterThanOrEqual(min)
      expect(Math.max(...rates(tried))).toBeLessThanOrEqual(max)
    }
  })

  test('asks nothing twice but what broke before anything held, and nothing three times', () => {
    for (const { seed, tried } of searches) {
      const early = rates(
        tried.slice(
          0,
          tried.findIndex(({ holds }) => holds),
        ),
      )
      const times = rates(tried).map((rate) => [rate, rates(tried).filter((other) => other === rate).length] as const)
      expect([seed, times.filter(([rate, count]) => count > (early.includes(rate) ? 2 : 1))]).toEqual([seed, []])
    }
  })
})

describe('a target that is not warm at first', () => {
  /** Its first answers are no, whatever it is asked. */
  function coldAt(first: number, capacity: number) {
    let asked = 0
    return (rate: number) => ++asked > first && rate <= capacity
  }

  test.each([1, 2, 3])('and breaks %d times is asked again, and its capacity found', (first) => {
    const { held, broke } = bracket(search(coldAt(first, 60)))
    expect(held).toBeLessThanOrEqual(60)
    expect(broke).toBeGreaterThan(60)
    expect(broke! / held!).toBeLessThanOrEqual(1.05)
  })

  test('is asked once more where the first answer was right', () => {
    expect(rates(search(upTo(49))).filter((rate) => rate === 50)).toHaveLength(2)
  })

  test('is not asked again where a rate below broke later', () => {
    expect(rates(search(upTo(42))).filter((rate) => rate === 50)).toHaveLength(1)
  })
})

describe('a target that pauses now and then', () => {
  /** Late once at each of these steps, whatever it is asked. */
  function pausingAt(steps: number[], capacity: number): Trial[] {
    const tried: Trial[] = []
    for (
      let rate = nextRate(tried, options);
      rate !== null && tried.length < tooLong;
      rate = nextRate(tried, options)
    ) {
      const holds = rate <= capacity && !steps.includes(tried.length)
      tried.push({ rate, holds, late: !holds })
    }
    return tried
  }

  test.each([1, 2, 3, 4, 5])('in step %d is asked again, and its capacity found', (pause) => {
    const { held, broke } = bracket(pausingAt([pause], 70))
    expect(held).toBeLessThanOrEqual(70)
    expect(broke).toBeGreaterThan(70)
    expect(broke! / held!).toBeLessThanOrEqual(1.05)
  })

  test('is believed when it is late twice', () => {
    const tried = pausingAt([], 70)
    const { broke } = bracket(tried)
    expect(rates(tried).filter((rate) => rate === broke)).toHaveLength(2)
    expect(tried.at(-1)).toMatchObject({ rate: broke, holds: false })
  })

  test('is not asked again where it broke for another reason', () => {
    const tried = search(upTo(70))
    expect(new Set(rates(tried)).size).toBe(tried.length)
  })
})

test('a capacity that wavers by a tenth is found within that tenth', () => {
  for (const seed of seeds) {
    const next = random(seed)
    const capacity = magnitude(next, 0.7, 1900)
    const { held } = bracket(search((rate) => rate <= capacity * (0.9 + 0.2 * next()), { start: capacity }))
    expect(held! / capacity).toBeGreaterThan(0.85)
    expect(held! / capacity).toBeLessThan(1.11)
  }
})

describe('what was tried', () => {
  const trials = (...given: [number, boolean][]): Trial[] => given.map(([rate, holds]) => ({ rate, holds }))

  test('brackets the capacity between the highest that held and the lowest above it that broke', () => {
    expect(bracket(trials([50, true], [100, false], [80, false], [60, true]))).toEqual({ held: 60, broke: 80 })
  })

  test('brackets it on one side only', () => {
    expect(bracket(trials([50, true]))).toEqual({ held: 50, broke: null })
    expect(bracket(trials([50, false], [25, false]))).toEqual({ held: null, broke: 25 })
    expect(bracket([])).toEqual({ held: null, broke: null })
  })

  test('counts a rate that broke below one that held as noise', () => {
    expect(bracket(trials([40, false], [60, true]))).toEqual({ held: 60, broke: null })
  })
})
