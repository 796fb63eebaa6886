import { relative } from 'node:path'
import type { CommonOptions } from '../../../loadtests/src/cli/options.ts'
import { measure } from '../../../loadtests/src/cli/measure.ts'
import { bundledProfiles, prepare, type Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { exitCodes, type LabError } from '../../../loadtests/src/lib/errors.ts'
import { planCells } from '../../../loadtests/src/run/cells.ts'
import { refusalOf } from '../../support/refusal.ts'
import { write } from '../../support/temporary.ts'
import { folder, options, profile, file, preparing, values } from '../fixtures/preparing.ts'

describe('refused before anything starts is', () => {
  test('a profile that there is not, with those that there are', async () => {
    const refusal = await refusalOf(() => prepare({ ...options, profile: 'fast' }))
    expect(refusal).toMatchObject({ code: 'unknown-profile', exit: exitCodes.usage })
    for (const name of await bundledProfiles()) expect(refusal.message).toContain(name)
  })

  test('a workflow that there is not, at its line of the profile', async () => {
    const wrong = await write(folder, 'wrong.yaml', profile.replace('ping-webhook', 'pong-webhook'))
    expect((await refusalOf(() => preparing({ profile: wrong }))).message).toMatch(
      /wrong\.yaml:11: .+got "pong-webhook"\.$/,
    )
  })

  test('a fault that the lab does not know, at its line of the profile', async () => {
    const steady = profile.replace(/load: .*/, 'load: { shape: constant, rate: 5, duration: 20s }')
    const wrong = await write(folder, 'unknown-fault.yaml', `${steady}faults: [main-killed, disk-eaten]\n`)
    expect((await refusalOf(() => preparing({ profile: wrong }))).message).toMatch(
      /unknown-fault\.yaml:13: faults\.1: Expected one of main-killed, .+, got "disk-eaten"\.$/,
    )
  })

  test('a request that cannot be sent, at its line of the profile', async () => {
    const wrong = await write(
      folder,
      'unsendable.yaml',
      profile.replace('[ping-webhook]', '[{ workflow: ping-webhook, request: { bdy: {} } }]'),
    )
    expect((await refusalOf(() => preparing({ profile: wrong }))).message).toMatch(
      /unsendable\.yaml:11: Expected a request without the key "bdy", got it\.$/,
    )
  })

  test('one request for several workflows', async () => {
    expect(
      await refusalOf(() => preparing({ workflow: ['ping-webhook', 'expression-webhook'], request: 'order.json' })),
    ).toMatchObject({ code: 'one-request', exit: exitCodes.usage })
  })

  test('the same workflow twice', async () => {
    expect(await refusalOf(() => preparing({ workflow: ['ping-webhook', 'ping-webhook'] }))).toMatchObject({
      code: 'same-workflow',
      exit: exitCodes.usage,
    })
  })

  test('a weight of another workflow, at its line of the profile', async () => {
    const wrong = await write(
      folder,
      'weights.yaml',
      profile.replace(/load: .+/, 'load: { shape: mixed, rate: 10, duration: 60s, weights: { pong: 2 } }'),
    )
    expect((await refusalOf(() => preparing({ profile: wrong }))).message).toMatch(
      new RegExp(
        [
          String.raw`weights\.yaml:12: load\.weights\.pong: Expected a weight of one of the workflows ping-webhook,`,
          String.raw`got that of another\.$`,
        ].join(' '),
      ),
    )
  })

  test('a workflow that the command names and there is not', async () => {
    expect((await refusalOf(() => preparing({ workflow: ['pong'] }))).message).toMatch(/^--workflow: .+got "pong"\.$/)
  })

  test.each([
    ['is no YAML', 'a: 1\nb: [1', /bad\.yaml:2: Expected Helm values, a map as YAML, got: .+\.$/],
    ['is a list', '- a', /bad\.yaml:1: Expected Helm values, a map as YAML, got: a list\.$/],
    ['is a text', 'main', /bad\.yaml:1: Expected Helm values, a map as YAML, got: one text\.$/],
  ])('a file of values that %s', async (_, content, message) => {
    const refusal = await refusalOf(async () => preparing({ values: [await values(content, 'bad.yaml')] }))
    expect(refusal).toMatchObject({
      code: 'bad-values',
      exit: exitCodes.usage,
      message: expect.stringMatching(message),
    })
  })

  test('a file of values that is not there', async () => {
    const refusal = await refusalOf(() => preparing({ values: ['/nowhere/values.yaml'] }))
    expect(refusal.message).toBe('/nowhere/values.yaml: Expected a readable YAML file, got: none of that name.')
  })
})

/** With the real chart. */
describe('values that the chart refuses are shown', () => {
  const refused = async (given: Partial<CommonOptions> | Prepared): Promise<LabError> => {
    const prepared = 'experiment' in given ? given : await preparing(given)
    const refusal = await refusalOf(() => planCells(prepared))
    expect(refusal).toMatchObject({ code: 'values-refused', exit: exitCodes.usage })
    return refusal
  }
  const at = ({ message }: LabError) => message.split(': ')[0]
  const changed = (from: string, to: string) => write(folder, 'changed.yaml', profile.replace(from, to))

  test('not, where they name an n8n that cannot run as a process here: that is said at once', async () => {
    const newer = await preparing({ set: { image: { tag: '2.999.9' } }, engine: 'process' })
    const refusal = await refusalOf(() => measure(newer, options))
    expect(refusal).toMatchObject({
      code: 'unknown-version',
      exit: exitCodes.usage,
      hint: expect.stringContaining('--engine container'),
    })
    expect(refusal.message).toMatch(/^--set: image\.tag: Expected .*2\.41\.1.*, got 2\.999\.9: npm has none\.$/)
    await expect(planCells(newer)).resolves.toHaveLength(2)
  })

  test('with the chart’s own words', async () => {
    const { message, hint } = await refused({ profile: await changed('memory: 1Gi', 'memory: much') })
    expect(message).toMatch(/changed\.yaml:6: These values are refused\.\nmain\.resources\.limits\.memory: .*'much'.+/)
    expect(hint).toContain('Change the value it names')
  })

  test('at the line of the base', async () => {
    expect(at(await refused({ profile: await changed('base:\n', 'base:\n  speed: 3\n') }))).toMatch(/changed\.yaml:4$/)
  })

  test('at the line of the variant that has them', async () => {
    expect(at(await refused({ profile: await changed('"2"', '[2]') }))).toMatch(/changed\.yaml:10$/)
  })

  test('at the line of the value that is refused, not of another that its fix speaks of', async () => {
    const wrong = await changed('  main:\n', '  main:\n    heap: { megabytes: 4000 }\n')
    expect(at(await refused({ profile: wrong }))).toMatch(/changed\.yaml:6$/)
  })

  test('at the line of the matrix, whose every cell is asked about', async () => {
    const wrong = await changed('workflows:', 'matrix:\n  timezone: [UTC]\n  tuning.tier: [tuned, fast]\nworkflows:')
    expect(at(await refused({ profile: wrong }))).toMatch(/changed\.yaml:13$/)
  })

  test('at --set or --values, where those gave them', async () => {
    expect(at(await refused({ set: { main: { heap: { megabytes: 4000 } } } }))).toBe('--set')
    expect(at(await refused({ values: [await values('speed: 3')] }))).toBe('--values')
  })

  test('at --set, where that goes over what the profile says', async () => {
    expect(at(await refused({ set: { main: { resources: { limits: { memory: 'much' } } } } }))).toBe('--set')
  })

  test('not at all where they are good', async () => {
    await expect(preparing().then(planCells)).resolves.toHaveLength(2)
  })
})

test('places are given as the user would type them', async () => {
  const own = relative('.', file)
  expect((await preparing({ profile: own })).profile.locate(['base'])).toEqual({ file: own, line: 3 })
  expect((await prepare(options)).profile.locate(['name']).file).toBe('loadtests/profiles/check.yaml')
})
