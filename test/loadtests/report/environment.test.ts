import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { environmentRows } from '../../../loadtests/src/report/environment.ts'
import type { Environment } from '../../../loadtests/src/model/environment.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { T0, end, run } from '../fixtures/records.ts'

const look = (rate: number) => ({ type: 'calibration', at: T0, rate, p95: 4 }) as const
const paceIn = (...looks: ReturnType<typeof look>[]) =>
  new Map(environmentRows(summarise([run(), ...looks, end()])) as [string, string][]).get(
    'Bare Node server on the same cores',
  )

test('a machine is known by what it does without n8n, at the beginning and later', () => {
  expect(paceIn()).toBe('not measured')
  expect(paceIn(look(2607))).toBe('2,607/s, p95 4 ms')
  expect(paceIn(look(2700), look(2500), look(2600))).toBe('2,600/s, p95 4 ms; 3 looks from 2,500/s to 2,700/s')
})

test('a rate that was asked for is said', () => {
  expect(environmentRows(summarise([run({ experiment: { need: 50 } }), end()]))).toContainEqual([
    'Rate that is needed',
    '50/s of every workflow',
  ])
  expect(environmentRows(summarise([run(), end()])).map(([what]) => what)).not.toContain('Rate that is needed')
})

describe('of the cores is said', () => {
  const rows = (cores: Environment['cores'], ...records: RunRecord[]) =>
    new Map(environmentRows(summarise([run({ environment: { cores } }), ...records, end()])) as [string, string][])

  test('which programs shared which', () => {
    const cores = { target: [2, 3], generator: [0], postgresql: [1], redis: [1], beside: [1] }
    expect(rows(cores).get('Cores')).toBe(
      'n8n on cores 2 and 3; k6 and the lab on core 0; PostgreSQL, Redis and the mock of services on core 1',
    )
  })

  test('up to which rate the machine can be trusted', () => {
    const calibrated: RunRecord = { ...look(900), most: 1500 }
    expect(rows({ target: [1], generator: [0] }, calibrated).get('Can be trusted up to')).toContain('about 1,500/s')
    expect(rows({ target: [1], generator: [0] }, look(900)).has('Can be trusted up to')).toBe(false)
  })
})
