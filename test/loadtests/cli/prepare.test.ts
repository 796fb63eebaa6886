import type { CommonOptions } from '../../../loadtests/src/cli/options.ts'
import { bundledProfiles, prepare } from '../../../loadtests/src/cli/prepare.ts'
import { write } from '../../support/temporary.ts'
import { folder, options, profile, preparing, values } from '../fixtures/preparing.ts'

describe('an experiment', () => {
  test('is a bundled profile by its name, or a file', async () => {
    for (const name of await bundledProfiles())
      expect((await prepare({ ...options, profile: name })).experiment.name).toBe(name)
    expect((await preparing()).experiment.name).toBe('mine')
  })

  test('has the history and the editors of its profile, or those of the command; with 0 none', async () => {
    const given = await write(folder, 'in-use.yaml', `${profile}\nhistory: 1000\neditors: 5\n`)
    expect((await preparing({ profile: given })).experiment).toMatchObject({ history: 1000, editors: 5 })
    expect((await preparing({ profile: given, editors: 2 })).experiment).toMatchObject({ history: 1000, editors: 2 })
    const none = await preparing({ profile: given, history: 0, editors: 0 })
    expect(none.experiment).toEqual((await preparing()).experiment)
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

  const asks = () =>
    write(folder, 'asks.json', {
      id: '1',
      nodes: [
        { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'asks' } },
        { name: 'Say', type: 'n8n-nodes-base.slack', typeVersion: 2.2, parameters: { text: 'hello' } },
      ],
      connections: { Webhook: { main: [[{ node: 'Say', type: 'main', index: 0 }]] } },
    })

  test('makes up what an export lacks in a cluster, too; without that n8n here, it says that nothing was', async () => {
    const inCluster = { workflow: [await asks()], target: 'kubernetes' as const }
    const { credentials, workflows } = await preparing(inCluster)
    expect(credentials).toHaveLength(1)
    expect(workflows[0]!.made?.hints).not.toEqual([])
    const other = await preparing({ ...inCluster, set: { image: { tag: '0.0.1' } } })
    expect(other.credentials).toEqual([])
    expect(other.workflows[0]!.warnings.join()).toContain('Nothing was made up')
  })

  test('makes up no credential where a real service may be called', async () => {
    const own = await asks()
    const allowing = await write(folder, 'allowing.yaml', `${profile}\noutside: { allow: ["slack.com:443"] }\n`)
    expect((await preparing({ workflow: [own] })).credentials).toHaveLength(1)
    expect((await preparing({ workflow: [own], profile: allowing })).credentials).toEqual([])
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
