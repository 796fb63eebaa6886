import { neverReady } from '../../../loadtests/src/targets/refusals.ts'
import { generatorAgainst, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

describe('variants that are compared', () => {
  const variants = [
    { name: 'with', values: {} },
    { name: 'without', values: {}, beside: 'with' },
  ]
  const load: Load = { shape: 'constant', rate: 50, duration: 1, timeout: 5 }
  /** In their order: each start by its cell, and each step by its cell, purpose and turn; several in a row once. */
  const course = (records: RunRecord[]) =>
    records
      .flatMap((record) =>
        record.type === 'cell'
          ? [`${record.cell} starts`]
          : record.type === 'step'
            ? [`${record.cell} ${record.purpose}${record.turn ? ` ${record.turn}` : ''}`]
            : [],
      )
      .filter((what, at, all) => what !== all[at - 1])

  test('are up at the same time and loaded in turns, there and back, where the target can', async () => {
    const { records, told, left, error } = await running({ load, variants, other: { sideBySide: true } })
    expect(error).toBeNull()
    expect(course(records).slice(0, 8)).toEqual([
      '0 starts',
      '1 starts',
      '0 warm-up',
      '1 warm-up',
      '0 measure 1',
      '1 measure 1',
      '1 measure 2',
      '0 measure 2',
    ])
    expect(told.slice(-4)).toEqual(['visited', 'visited', 'calibration', 'end'])
    expect(left).toEqual(nothing)
  })

  test('never have two loads at once', async () => {
    const generator = generatorAgainst(100)
    let [now, most] = [0, 0]
    await running({
      load,
      variants,
      other: {
        sideBySide: true,
        generator: {
          ...generator,
          async run(work) {
            most = Math.max(most, ++now)
            return generator.run(work).finally(() => now--)
          },
        },
      },
    })
    expect(most).toBe(1)
  })

  test('are started once for all repeats, which become turns', async () => {
    const { records } = await running({ load, variants, repeat: 3, other: { sideBySide: true } })
    expect(records.filter(({ type }) => type === 'cell')).toHaveLength(2)
    expect(records.filter(({ type }) => type === 'visited')).toHaveLength(6)
  })

  test('come one after the other elsewhere', async () => {
    expect(course((await running({ load, variants })).records)).toEqual([
      '0 starts',
      '0 warm-up',
      '0 measure',
      '1 starts',
      '1 warm-up',
      '1 measure',
    ])
  })

  test('go on alone where the other cannot start', async () => {
    const { records, told } = await running({
      load,
      variants,
      other: { sideBySide: true },
      starting(start) {
        if (start === 1) throw neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', [])
      },
    })
    expect(course(records)).toContain('1 measure 1')
    expect(told).toContain('cell-failed')
  })
})
