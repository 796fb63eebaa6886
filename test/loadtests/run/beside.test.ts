import { neverReady } from '../../../loadtests/src/targets/target.ts'
import { generatorAgainst, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'
import type { Load } from '../../../loadtests/src/model/load.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'

describe('one variant beside another', () => {
  const variants = [
    { name: 'with', values: {} },
    { name: 'without', values: {}, beside: 'with' },
  ]
  const load: Load = { shape: 'constant', rate: 50, duration: 1, timeout: 5 }
  /** In their order: each start, and each step by its purpose; several in a row once. */
  const course = (records: RunRecord[]) =>
    records
      .flatMap((record) => (record.type === 'step' ? [record.purpose] : record.type === 'cell' ? ['start'] : []))
      .filter((what, at, all) => what !== all[at - 1])

  test('is up and loaded at the same time, where the target can', async () => {
    const { records, told, left, error } = await running({ load, variants, other: { sideBySide: true } })
    expect(error).toBeNull()
    expect(course(records)).toEqual(['start', 'warm-up', 'measure'])
    expect(told.slice(-4)).toEqual(['visited', 'visited', 'calibration', 'end'])
    expect(left).toEqual(nothing)
  })

  test('is asked at moments of its own', async () => {
    const generator = generatorAgainst(100)
    const asked: Record<string, string>[] = []
    await running({
      load,
      variants,
      other: {
        sideBySide: true,
        generator: { ...generator, run: (work) => (asked.push(work.env), generator.run(work)) },
      },
    })
    const seeds = asked.filter(({ FROM }) => FROM === '50').map(({ SEED }) => SEED)
    expect(seeds).toHaveLength(2)
    expect(new Set(seeds).size).toBe(2)
  })

  test('comes after it elsewhere', async () => {
    expect(course((await running({ load, variants })).records)).toEqual([
      'start',
      'warm-up',
      'measure',
      'start',
      'warm-up',
      'measure',
    ])
  })

  test('is measured alone where the other cannot start', async () => {
    const { records, told } = await running({
      load,
      variants,
      other: { sideBySide: true },
      starting(start) {
        if (start === 1) throw neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', [])
      },
    })
    expect(course(records)).toEqual(['start', 'warm-up', 'measure'])
    expect(told).toContain('cell-failed')
  })
})
