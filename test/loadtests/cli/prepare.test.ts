import { relative } from 'node:path'
import type { CommonOptions } from '../../../loadtests/src/cli/options.ts'
import { bundledProfiles, prepare, type Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { refuseBadValues } from '../../../loadtests/src/cli/refuse.ts'
import { exitCodes, type LabError } from '../../../loadtests/src/errors.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()
const options: CommonOptions = { profile: 'check', target: 'local', metricsUrl: [], values: [], set: {}, workflow: [] }

const profile = `name: mine
question: What does it carry?
base:
  image: { tag: 2.41.1 }
  main:
    resources: { limits: { memory: 1Gi } }
variants:
  small: { main: { resources: { limits: { cpu: 500m } } } }
  large:
    main: { resources: { limits: { cpu: "2" } } }
workflows: [ping-webhook]
load: { shape: search, step: 20s, precision: 5% }
`
let file: string
beforeAll(async () => {
  file = await write(folder, 'mine.yaml', profile)
})
const preparing = (given: Partial<CommonOptions> = {}) => prepare({ ...options, profile: file, ...given })
const values = async (content: string, name = 'values.yaml') => write(folder, name, content)

describe('an experiment', () => {
  test('is a bundled profile by its name, or a file', async () => {
    for (const name of await bundledProfiles())
      expect((await prepare({ ...options, profile: name })).experiment.name).toBe(name)
    expect((await preparing()).experiment.name).toBe('mine')
  })

  test('has the workflows it loads, found', async () => {
    expect((await preparing()).workflows).toMatchObject([{ name: 'ping-webhook', webhook: { path: '/webhook/ping' } }])
  })

  test('loads other workflows where the command says so', async () => {
    const own = await write(folder, 'orders.json', {
      id: '1',
      nodes: [{ type: 'n8n-nodes-base.webhook', parameters: { path: 'orders' } }],
    })
    expect((await preparing({ workflow: [own, 'expression-webhook'] })).experiment.workflows).toEqual([
      'orders',
      'expression-webhook',
    ])
  })

  test('sends what the command names, or else what the profile says', async () => {
    const order = await write(folder, 'order.json', { method: 'GET', query: { order: 1 } })
    const own = await write(
      folder,
      'sends.yaml',
      profile.replace('[ping-webhook]', '[{ workflow: ping-webhook, request: { query: { order: 2 } } }]'),
    )
    const paths = async (given: Partial<CommonOptions>) =>
      (await preparing(given)).workflows.flatMap(({ requests }) => requests.map(({ path }) => path))
    expect(await paths({ profile: own })).toEqual(['/webhook/ping?order=2'])
    expect(await paths({ profile: own, request: order })).toEqual(['/webhook/ping?order=1'])
    expect(JSON.stringify((await preparing({ profile: own })).experiment)).not.toContain('order')
  })

  test('has --values under its variants and --set over them', async () => {
    const given = {
      values: [await values('main: { replicas: 0, resources: { limits: { cpu: "8", memory: 2Gi } } }')],
      set: { main: { resources: { limits: { memory: '3Gi' } } } },
    }
    const { base, variants } = (await preparing(given)).experiment
    expect(base).toMatchObject({
      image: { tag: '2.41.1' },
      main: { replicas: 0, resources: { limits: { cpu: '8', memory: '2Gi' } } },
    })
    expect(variants.map(({ values }) => values)).toEqual([
      { main: { resources: { limits: { cpu: '500m', memory: '3Gi' } } } },
      { main: { resources: { limits: { cpu: '2', memory: '3Gi' } } } },
    ])
  })

  test('takes several --values, the later over the earlier', async () => {
    const given = [
      await values('timezone: UTC\nlogLevel: info'),
      await values('timezone: Asia/Tokyo', 'more.yaml'),
      await values('', 'nothing.yaml'),
    ]
    expect((await preparing({ values: given })).experiment.base).toMatchObject({
      timezone: 'Asia/Tokyo',
      logLevel: 'info',
    })
  })

  test('has the balancer that the command names among its values, under --set', async () => {
    const { variants } = (await preparing({ balancer: 'nginx', set: { timezone: 'UTC' } })).experiment
    expect(variants[0]!.values).toMatchObject({ timezone: 'UTC', lab: { balancer: 'nginx' } })
  })

  test('of a bare server asks it what its workflows name', async () => {
    const bare = await write(
      folder,
      'bare.yaml',
      'name: bare\nquestion: What does Node carry?\nplan: server\nworkflows: [hello, count-5000]\nload: { '
        + 'shape: closed, vus: 8, duration: 10s }\n',
    )
    expect((await preparing({ profile: bare })).workflows).toMatchObject([
      { webhook: { path: '/hello' } },
      { webhook: { path: '/count/5000' } },
    ])
    const refusal = await refusalOf(() => preparing({ profile: bare, workflow: ['ping-webhook'] }))
    expect(refusal).toMatchObject({ code: 'unknown-request', exit: exitCodes.usage })
  })

  test('takes parts of the objective and the number of repeats from the command', async () => {
    expect((await preparing({ slo: { p95: 300 }, repeat: 2 })).experiment).toMatchObject({
      slo: { p95: 300, errors: 0.001, backlog: 0.05 },
      repeat: 2,
    })
  })

  test('is shorter and coarser when it has to be quick', async () => {
    expect((await preparing({ quick: true })).experiment.load).toMatchObject({ step: 10, precision: 0.1 })
    const closed = await prepare({ ...options, profile: 'own-vs-main', quick: true })
    expect(closed.experiment.load).toMatchObject({ duration: 20 })
  })
})

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
      /weights\.yaml:12: load\.weights\.pong: Expected a weight of one of the workflows ping-webhook, got that of another\.$/,
    )
  })

  test('a workflow that the command names and there is not', async () => {
    expect((await refusalOf(() => preparing({ workflow: ['pong'] }))).message).toMatch(/^--workflow: .+got "pong"\.$/)
  })

  test.each([
    ['is no YAML', 'a: 1\nb: [1', /bad\.yaml:2: Expected Helm values, a map as YAML, got: .+\.$/],
    ['is a list', '- a', /bad\.yaml:1: Expected Helm values, a map as YAML, got: \["a"\]\.$/],
    ['is a text', 'main', /bad\.yaml:1: Expected Helm values, a map as YAML, got: "main"\.$/],
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
    expect(refusal.message).toBe('/nowhere/values.yaml: Expected a readable YAML file, got: ENOENT.')
  })
})

/** With the real chart. */
test('a value that a bare server does not know is shown where it stands', async () => {
  const bare = await write(
    folder,
    'unknown.yaml',
    'name: bare\nquestion: What does Node carry?\nplan: server\nbase:\n  clusters: 4\nworkflows: '
      + '[hello]\nload: { shape: closed, vus: 8, duration: 10s }\n',
  )
  const { message } = await refusalOf(async () => refuseBadValues(await preparing({ profile: bare })))
  expect(message).toMatch(/unknown\.yaml:5: These values are refused\.\nclusters: there is no such value\.$/)
})

describe('values that the chart refuses are shown', () => {
  const refused = async (given: Partial<CommonOptions> | Prepared): Promise<LabError> => {
    const prepared = 'experiment' in given ? given : await preparing(given)
    const refusal = await refusalOf(() => refuseBadValues(prepared))
    expect(refusal).toMatchObject({ code: 'values-refused', exit: exitCodes.usage })
    return refusal
  }
  const at = ({ message }: LabError) => message.split(': ')[0]
  const changed = (from: string, to: string) => write(folder, 'changed.yaml', profile.replace(from, to))

  test('not, where they name an n8n that cannot run as a process here: that is said at once', async () => {
    const newer = await preparing({ set: { image: { tag: '9.9.9' } } })
    const refusal = await refusalOf(() => refuseBadValues(newer, { asProcesses: true }))
    expect(refusal).toMatchObject({
      code: 'unknown-version',
      exit: exitCodes.usage,
      hint: expect.stringContaining('--engine container'),
    })
    expect(refusal.message).toMatch(
      /^--set: image\.tag: Expected .*2\.41\.1.*, got 9\.9\.9: no line of n8n 9 is known\.$/,
    )
    await expect(refuseBadValues(newer)).resolves.toBeUndefined()
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
    await expect(preparing().then(refuseBadValues)).resolves.toBeUndefined()
  })
})

test('places are given as the user would type them', async () => {
  const own = relative('.', file)
  expect((await preparing({ profile: own })).profile.locate(['base'])).toEqual({ file: own, line: 3 })
  expect((await prepare(options)).profile.locate(['name']).file).toBe('loadtests/profiles/check.yaml')
})
