import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { parseQuantity } from '../../../loadtests/src/lib/quantity.ts'
import { refusalOf } from '../../support/refusal.ts'

test.each([
  ['250m', 0.25],
  ['1', 1],
  ['1.5', 1.5],
  [2, 2],
  [0.5, 0.5],
  ['0', 0],
  ['500n', 5e-7],
  ['1k', 1000],
  ['512Mi', 512 * 2 ** 20],
  ['1Gi', 2 ** 30],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['1G', 1e9],
  ['1E', 1e18],
  ['1e3', 1000],
  ['12E2', 1200],
])('%j is %d', (text, amount) => {
  expect(parseQuantity(text)).toBeCloseTo(amount, 10)
})

test.each(['', 'abc', '1GB', '1 Gi', '-1', 'Mi', '1.2.3', '1e3Mi'])(
  '%j is none, and it is the user who is told',
  async (text) => {
    const refusal = await refusalOf(() => parseQuantity(text))
    expect(refusal.message).toBe(
      `Expected CPU and memory as Kubernetes quantities such as 500m or 1Gi, got ${JSON.stringify(text)}.`,
    )
    expect(refusal.exit).toBe(exitCodes.usage)
  },
)
