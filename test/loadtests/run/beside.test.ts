import type { Load } from '../../../loadtests/src/profile/experiment.ts'
import type { RunRecord } from '../../../loadtests/src/record/records.ts'
import { readinessErrors } from '../../../loadtests/src/target/readiness-errors.ts'
import { generatorAgainst, running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'

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

  test.each([
    ['side by side', 'at moments of its own', true, '0.02'],
    ['one after the other', 'on schedule', false, undefined],
  ])('is asked, %s, %s', async (_, __, sideBySide, scatter) => {
    const generator = generatorAgainst(100)
    const asked: Record<string, string>[] = []
    await running({
      load,
      variants,
      other: {
        ...(sideBySide && { sideBySide }),
        generator: { ...generator, run: (work) => (asked.push(work.env), generator.run(work)) },
      },
    })
    expect(asked.filter(({ RATE }) => RATE === '50').map(({ SCATTER }) => SCATTER)).toEqual([scatter, scatter])
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
        if (start === 1)
          throw readinessErrors.neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', [])
      },
    })
    expect(course(records)).toEqual(['start', 'warm-up', 'measure'])
    expect(told).toContain('cell-failed')
  })
})
