import { neverReady } from '../../../loadtests/src/targets/refusals.ts'
import { running } from '../fixtures/running.ts'
import { nothing } from '../fixtures/nothing-left.ts'

test('an n8n that cannot start is written down, and the next is measured', async () => {
  const { records, told, left } = await running({
    starting(start) {
      if (start === 1)
        throw neverReady('main-0', 'it ended with exit code 1 while starting', 'See its log.', ['no database'])
    },
  })
  expect(told).toEqual([
    'run',
    'calibration',
    'cell',
    'cell-failed',
    'visited',
    'cell',
    'step',
    'visited',
    'calibration',
    'end',
  ])
  expect(records.find(({ type }) => type === 'cell-failed')).toMatchObject({
    cell: 0,
    code: 'never-ready',
    log: ['no database'],
  })
  expect(records.at(-1)).toMatchObject({ outcome: 'complete' })
  expect(left).toEqual(nothing)
})

test('any other failure ends the run, which says so and leaves nothing running', async () => {
  const { records, error, left } = await running({
    starting() {
      throw new TypeError('a defect')
    },
  })
  expect(error).toEqual(new TypeError('a defect'))
  expect(records.at(-1)).toMatchObject({ outcome: 'failed' })
  expect(left).toEqual(nothing)
})

test('what was asked of other services and could not be counted is told, and no failure', async () => {
  const { records, error } = await running({
    async outside() {
      throw new Error('fetch failed')
    },
  })
  expect(error).toBeNull()
  expect(records.flatMap((one) => (one.type === 'warning' ? [one.warning] : []))).toContainEqual({
    code: 'outside-unknown',
    about: expect.stringContaining('ping-webhook on '),
    reason: 'fetch failed',
  })
})

test('what fails first is told, and not what then could not be taken down', async () => {
  const { records, error } = await running({
    starting() {
      throw new TypeError('a defect')
    },
    other: {
      close: async () => {
        throw new Error('it is busy')
      },
    },
  })
  expect(error).toEqual(new TypeError('a defect'))
  expect(records.at(-1)).toMatchObject({ type: 'end', outcome: 'failed' })
})
