import {
  nextLook,
  shareOfLength,
  shortRounds,
  type CandidateLook,
} from '../../../../loadtests/src/judge/search/halving.ts'
import { random } from '../../../support/random.ts'

interface Server {
  cost: number
  capacity: number
}

/** More CPU and more replicas sustain more, and cost more; memory costs and sustains nothing. */
const cells: Server[] = [0.5, 1, 2, 4].flatMap((cpu) =>
  [1, 2, 3].flatMap((replicas) =>
    [1, 2].map((memory) => ({
      cost: replicas * (cpu + 0.125 * memory),
      capacity: 20 * Math.min(cpu, 1.1) * replicas ** 0.9,
    })),
  ),
)

/**
 * Looks at simulated servers; a look's capacity wavers by `noise`, twice as much in a look of a quarter of the time.
 */
function find(rate: number, noise: number, seed: number, servers = cells) {
  const next = random(seed)
  const looks: CandidateLook[] = []
  for (
    let look = nextLook(
      servers.map(({ cost }) => cost),
      looks,
    );
    look;
    look = nextLook(
      servers.map(({ cost }) => cost),
      looks,
    )
  ) {
    const wavering = (noise * (2 * next() - 1)) / Math.sqrt(shareOfLength(look.round))
    const reach = (servers[look.candidate]!.capacity * (1 + wavering)) / rate
    looks.push({ ...look, holds: reach >= 1, reach: Math.min(1, reach) })
    if (looks.length > 100) throw new Error('Expected an end')
  }
  const found = looks.find(({ round, holds }) => round === shortRounds + 1 && holds)
  return {
    found: found ? found.candidate : null,
    looks,
    time: looks.reduce((sum, { round }) => sum + shareOfLength(round), 0),
  }
}

/** What the whole grid would say. */
function cheapest(rate: number, servers = cells): number | null {
  const holding = servers.flatMap(({ capacity, cost }, index) => (capacity >= rate ? [{ index, cost }] : []))
  return holding.toSorted((a, b) => a.cost - b.cost)[0]?.index ?? null
}

const rates = [8, 15, 25, 33, 40, 50]

test.each(rates)('picks the cell for %d/s that the whole grid would, in at most half of its time', (rate) => {
  expect(cells).toHaveLength(24)
  const { found, time } = find(rate, 0, 1)
  expect(found).toBe(cheapest(rate))
  expect(time).toBeLessThanOrEqual(cells.length / 2)
})

test('picks the same with the noise of real steps', () => {
  for (let seed = 0; seed < 100; seed++) {
    for (const rate of rates) {
      const { found, time } = find(rate, 0.02, seed)
      expect([seed, rate, found]).toEqual([seed, rate, cheapest(rate)])
      expect(time).toBeLessThanOrEqual(cells.length / 2)
    }
  }
})

test('looks at every candidate first, then twice as long at the better half', () => {
  const { looks } = find(25, 0, 1)
  const per = (round: number) => looks.filter((look) => look.round === round).length
  expect([0, 1, 2].map(per)).toEqual([24, 12, 6])
  expect([0, 1, 2, 3].map(shareOfLength)).toEqual([0.125, 0.25, 0.5, 1])
})

test('finds none where none holds, without a long look at those far off', () => {
  const { found, looks } = find(1000, 0, 1)
  expect(found).toBeNull()
  expect(looks.every(({ round }) => round < shortRounds)).toBe(true)
})

test('a cell that held once at full length and then broke is not the one: the next that holds twice is', () => {
  const looks: CandidateLook[] = []
  const asked: number[] = []
  for (let look = nextLook([1, 2], looks); look; look = nextLook([1, 2], looks)) {
    const lucky = look.candidate === 0 && look.round <= shortRounds
    looks.push({ ...look, holds: lucky || look.candidate === 1, reach: lucky || look.candidate === 1 ? 1 : 0.9 })
    if (look.round >= shortRounds) asked.push(look.candidate)
  }
  expect(asked).toEqual([0, 0, 1, 1])
})

test('asks those that fell out before where none of the survivors holds', () => {
  const servers = [
    ...Array.from({ length: 8 }, (_, index) => ({ cost: 1 + index / 100, capacity: 9.5 })),
    { cost: 3, capacity: 20 },
  ]
  const { found } = find(10, 0, 1, servers)
  expect(found).toBe(8)
})

test('one candidate is looked at as long as it takes', () => {
  expect(find(10, 0, 1, [{ cost: 1, capacity: 20 }]).found).toBe(0)
})
