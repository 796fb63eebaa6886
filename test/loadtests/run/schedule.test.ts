import type { Cell } from '../../../loadtests/src/run/cells.ts'
import { cheapestCell, everyCell, isCalibrationDue, type Schedule } from '../../../loadtests/src/run/schedule.ts'
import { cell, constant, experiment, step, T0 } from '../fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

const asked = experiment({ load: constant })
const sizes = [1, 2, 3, 4, 5, 6, 7, 8]
/** Two workflows in each of eight sizes, which cost what they are. */
const cells = sizes.flatMap((size, index) =>
  ['x', 'y'].map((name, nth) => ({
    number: 2 * index + nth,
    variant: 'v',
    matrix: { size },
    traffic: { name },
    cost: size,
  })),
) as unknown as Cell[]

/** Goes on until the schedule ends; each visit is recorded. */
function follow(schedule: Schedule, from: number, records: RunRecord[] = [], stopAfter = Infinity) {
  const visits: string[] = []
  for (
    let visit = schedule(cells, records, asked);
    visit && visits.length < stopAfter;
    visit = schedule(cells, records, asked)
  ) {
    const [number] = visit.cells as [number]
    const { matrix, traffic } = cells[number]!
    visits.push(`${matrix.size}${traffic.name} ${visit.share ?? 1}`)
    records.push(
      cell(number, { matrix }),
      step(number, 50, {
        repeat: visit.repeat,
        throughput: Math.min(50, (50 * (matrix.size as number)) / from),
        because: (matrix.size as number) < from ? ['latency'] : [],
      }),
      { type: 'visited', at: T0, cell: number, repeat: visit.repeat },
    )
  }
  return { visits, records }
}

test('every cell comes once a repeat, all of them before any again, and every second time backwards', () => {
  const schedule: Schedule = (all, records) => everyCell(all.slice(0, 3), records, { ...asked, repeat: 3 })
  expect(follow(schedule, 1).visits).toEqual(['1x 1', '1y 1', '2x 1', '2x 1', '1y 1', '1x 1', '1x 1', '1y 1', '2x 1'])
})

test('what is held against another comes together with it, in every second round after it', () => {
  const pairs = ['a', 'b'].flatMap((name) => [
    { name, values: {} },
    { name: `without-${name}`, values: {}, beside: name },
  ])
  const paired = pairs.map(({ name }, number) => ({
    number,
    variant: name,
    matrix: {},
    traffic: { name: 'x' },
  })) as unknown as Cell[]
  const asks = experiment({ load: constant, variants: pairs, repeat: 2 })
  const records: RunRecord[] = []
  const visits: number[][] = []
  for (let visit = everyCell(paired, records, asks); visit; visit = everyCell(paired, records, asks)) {
    visits.push(visit.cells)
    for (const number of visit.cells) records.push({ type: 'visited', at: T0, cell: number, repeat: visit.repeat })
  }
  expect(visits).toEqual([
    [0, 1],
    [2, 3],
    [3, 2],
    [1, 0],
  ])
  // Where they came one after the other, a run may have been stopped in between.
  expect(everyCell(paired, records.slice(0, -1), asks)).toEqual({ cells: [0], repeat: 2 })
})

test('sizing looks briefly at all, under every workflow, and last at the cheapest that holds at full length', () => {
  const { visits } = follow(cheapestCell, 3)
  expect(visits.slice(0, 16)).toEqual(sizes.flatMap((size) => [`${size}x 0.125`, `${size}y 0.125`]))
  expect(visits.slice(-2)).toEqual(['3x 1', '3y 1'])
})

test('sizing that was stopped anywhere goes on to the same end', () => {
  const whole = follow(cheapestCell, 3).visits
  for (let stop = 0; stop < whole.length; stop++) {
    const { records, visits } = follow(cheapestCell, 3, [], stop)
    expect([...visits, ...follow(cheapestCell, 3, records).visits]).toEqual(whole)
  }
})

test('a cell that could not be measured has reached nothing, and sizing goes on', () => {
  const records: RunRecord[] = [
    cell(0),
    { type: 'visited', at: T0, cell: 0, repeat: 1 },
    cell(1),
    { type: 'visited', at: T0, cell: 1, repeat: 1 },
  ]
  expect(follow(cheapestCell, 2, records).visits.at(-1)).toBe('2y 1')
})

test('a look at the machine speaks for the next five minutes', () => {
  const look = { type: 'calibration', at: T0, rate: 100, p95: 1 } as const
  expect(isCalibrationDue([], T0)).toBe(true)
  expect(isCalibrationDue([look], T0 + 299_999)).toBe(false)
  expect(isCalibrationDue([look], T0 + 300_000)).toBe(true)
  expect(isCalibrationDue([look, { ...look, at: T0 + 200_000 }], T0 + 300_000)).toBe(false)
})
