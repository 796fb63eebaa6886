import { chooseTarget } from '../../../loadtests/src/cli/choose-target.ts'
import type { Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { command } from '../../support/command.ts'
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

test('in a cluster n8n logs in to nothing real', async () => {
  const given = { target: 'kubernetes' as const, credentials: 'credentials.json', metricsUrl: [] }
  expect(await refusalOf(() => chooseTarget(given, prepared))).toMatchObject({
    code: 'no-credentials-there',
    exit: exitCodes.usage,
  })
})

test.each([
  [{ editors: 20 }, 'kubernetes', 'editors-elsewhere'],
  [{ editors: 20 }, new URL('https://n8n.example.com'), 'editors-elsewhere'],
  [{ history: 1000 }, new URL('https://n8n.example.com'), 'only-where-started'],
] as const)(
  'nothing is written into an n8n that runs already, and no editor is opened elsewhere: %j',
  async (...asked) => {
    const [over, target, code] = asked
    const given = { experiment: { ...prepared.experiment, ...over } } as unknown as Prepared
    expect(await refusalOf(() => chooseTarget({ target, metricsUrl: [] }, given))).toMatchObject({
      code,
      exit: exitCodes.usage,
    })
  },
)

test.each([
  ['compare', [], './n8n-tuned check measures them.'],
  ['tune', ['--workflow', 'ping-webhook'], './n8n-tuned tune --target local --values my-values.yaml.'],
  ['size', ['--workflow', 'ping-webhook', '--rate', '30'], './n8n-tuned check --rate'],
  ['size', ['--grid', '--rate', '30'], './n8n-tuned size --target local --values my-values.yaml.'],
])('an n8n that runs already has no other settings for %s %j', async (verb, words, instead) => {
  const { exit, err } = await command(verb, ...words, '--target', 'http://127.0.0.1:1', '--yes')
  expect(exit).toBe(exitCodes.usage)
  expect(err).toContain(`Expected check with a --target that runs already, got ${verb}.`)
  expect(err).toContain(instead)
})

test('what runs say needs no target', async () => {
  const { err } = await command('size', '/nonexistent', '--rate', '30', '--target', 'http://127.0.0.1:1')
  expect(err).not.toContain('--target')
})
