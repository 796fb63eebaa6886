import { chooseTarget } from '../../../loadtests/src/cli/choose-target.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { refusalOf } from '../../support/refusal.ts'

const prepared = { experiment: { base: {}, variants: [{ name: 'a', values: {} }], matrix: {} } } as unknown as Prepared

test.each(['kubernetes', new URL('https://n8n.example.com')] as const)(
  'what %s runs as is not the lab’s to choose',
  async (target) => {
    const refusal = await refusalOf(() => chooseTarget({ target, engine: 'container', metricsUrl: [] }, prepared))
    expect(refusal).toMatchObject({
      code: 'only-for-local',
      exit: exitCodes.usage,
      message: expect.stringContaining('--engine'),
    })
  },
)

test('only a cluster has namespaces', async () => {
  const refusal = await refusalOf(() => chooseTarget({ target: 'local', namespace: 'lab', metricsUrl: [] }, prepared))
  expect(refusal).toMatchObject({
    code: 'only-for-cluster',
    exit: exitCodes.usage,
    message: expect.stringContaining('--namespace'),
  })
})

test('containers need a runtime that works, before anything starts', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nonexistent'
  try {
    expect(
      await refusalOf(() => chooseTarget({ target: 'local', engine: 'container', metricsUrl: [] }, prepared)),
    ).toMatchObject({ code: 'no-container-runtime', exit: exitCodes.usage })
  } finally {
    process.env.PATH = path
  }
})
