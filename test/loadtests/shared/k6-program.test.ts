import { rarelyCollecting } from '../../../loadtests/src/shared/k6-program.ts'

test('Go may let ten times its memory pile up, within what there is', () => {
  expect(rarelyCollecting(750 * 2 ** 20 + 1)).toEqual({ GOGC: '1000', GOMEMLIMIT: '750MiB' })
})
