import { normal, random } from '../../support/random.ts'

/** A made history, by the hour, in shares of capacity. What came after it is what a forecast is about. */
export interface History {
  name: string
  /** How long it is, until the day of the forecast. */
  weeks: number
  hours: number[]
  /** After how many weeks a busiest hour first reaches capacity; null where nothing grows. */
  reached: number | null
}

/** How busy a week is, against the first, and how much weeks differ by chance. */
interface Course {
  level: (week: number) => number
  noise: number
}

interface Chance {
  between: (low: number, high: number) => number
  normal: () => number
}

const growing: Record<string, (chance: Chance) => Course> = {
  'steady growth': ({ between }) => {
    const growth = between(0.03, 0.06)
    return { level: (week) => 1 + growth * week, noise: 0.02 }
  },
  'compound growth': ({ between }) => {
    const growth = between(0.02, 0.04)
    return { level: (week) => (1 + growth) ** week, noise: 0.02 }
  },
  'growth with a season of a month': (chance) => {
    const [growth, season] = [chance.between(0.04, 0.08), ofMonth(chance, 0.06)]
    return { level: (week) => (1 + growth * week) * season(week), noise: 0.01 }
  },
  'growth by a step each month': ({ between }) => {
    const [growth, first] = [between(0.04, 0.08), Math.floor(between(0, 4))]
    return { level: (week) => 1 + growth * 4 * Math.floor((week + first) / 4), noise: 0.01 }
  },
  'growth with a step': ({ between }) => {
    const [growth, height] = [between(0.04, 0.08), between(0.1, 0.3)]
    return { level: (week) => 1 + growth * week + (week >= 6 ? height : 0), noise: 0.01 }
  },
  'growth among noise': ({ between }) => {
    const growth = between(0.04, 0.08)
    return { level: (week) => 1 + growth * week, noise: 0.05 }
  },
}

const standing: Record<string, (chance: Chance) => Course> = {
  noise: ({ between }) => ({ level: () => 1, noise: between(0.02, 0.08) }),
  'a season of a month': (chance) => ({ level: ofMonth(chance, 0.15), noise: 0.02 }),
  'a step up': ({ between }) => {
    const [at, height] = [Math.floor(between(3, 12)), between(0.15, 0.5)]
    return { level: (week) => (week >= at ? 1 + height : 1), noise: 0.02 }
  },
  'a step down': ({ between }) => {
    const at = Math.floor(between(3, 12))
    return { level: (week) => (week >= at ? 0.7 : 1), noise: 0.02 }
  },
  'one busy week': ({ between }) => {
    const at = Math.floor(between(3, 14))
    return { level: (week) => (week === at ? 1.5 : 1), noise: 0.02 }
  },
  decline: ({ between }) => {
    const decline = between(0.01, 0.04)
    return { level: (week) => 1 / (1 + decline * week), noise: 0.02 }
  },
}

function ofMonth({ between }: Chance, most: number): Course['level'] {
  const [height, phase] = [between(most / 3, most), between(0, 2 * Math.PI)]
  return (week) => 1 + height * Math.sin((2 * Math.PI * week) / 4.345 + phase)
}

/** Six of each kind that grows, four of each that does not. */
export function histories(seed: number): History[] {
  const next = random(seed)
  const chance = {
    between: (low: number, high: number) => low + (high - low) * next(),
    normal: () => normal(next),
  }
  const of = (kinds: typeof growing, times: number, grows: boolean) =>
    Object.entries(kinds).flatMap(([name, kind]) =>
      Array.from({ length: times }, (_, index) => ({
        name: `${name} ${index + 1}`,
        ...history(kind(chance), chance, grows),
      })),
    )
  return [...of(growing, 6, true), ...of(standing, 4, false)]
}

function history({ level, noise }: Course, chance: Chance, grows: boolean): Omit<History, 'name'> {
  const weeks = Math.floor(chance.between(10, 20))
  const all = Array.from({ length: 52 }, (_, week) => {
    const luck = Math.exp(noise * chance.normal())
    return Array.from(
      { length: 168 },
      (_, hour) => level(week + hour / 168) * luck * ofWeek(hour) * (1 + 0.02 * chance.normal()),
    )
  })
  const busiest = all.map((week) => Math.max(...week))
  // With growth, capacity is a little more than any week needs until then.
  const ahead = Math.floor(chance.between(2, 9))
  const capacity = grows
    ? 1.001 * Math.max(...busiest.slice(0, weeks + ahead - 1))
    : chance.between(1.05, 1.6) * Math.max(...busiest)
  return {
    weeks,
    hours: all.slice(0, weeks).flatMap((week) => week.map((rate) => rate / capacity)),
    reached: grows ? busiest.findIndex((rate) => rate >= capacity) - weeks + 1 : null,
  }
}

/** Most in the hour before noon of a working day, little at the weekend. */
function ofWeek(hour: number): number {
  const onDay = Math.floor(hour / 24) < 5 ? 1 : 0.4
  return onDay * (0.3 + 0.7 * Math.exp(-(((hour % 24) - 11) ** 2) / 18))
}
