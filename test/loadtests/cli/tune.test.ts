import { prepare, type Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { leavingOut } from '../../../loadtests/src/cli/tune.ts'

let prepared: Prepared
beforeAll(async () => {
  prepared = await prepare({
    profile: 'tune',
    target: 'local',
    metricsUrl: [],
    values: [],
    set: {},
    workflow: ['ping-webhook'],
  })
})

test('tuning leaves one setting or patch out at a time, and has n8n’s defaults beside', async () => {
  const { variants, load } = (await leavingOut(prepared, { setting: ['lazyIsolates', 'fewerQueries'] })).experiment
  expect(variants).toEqual([
    { name: 'patched', values: {} },
    {
      name: 'without-lazyIsolates',
      without: 'lazyIsolates',
      values: { tuning: { settings: { lazyIsolates: false } } },
    },
    { name: 'without-fewerQueries', without: 'fewerQueries', values: { tuning: { patches: { fewerQueries: false } } } },
    { name: 'n8n-defaults', values: { tuning: { tier: 'n8n-defaults' } } },
  ])
  expect(load.shape).toBe('search')
})

test(
  'tuning at a rate has each setting side by side with itself left out, but not n8n’s defaults, which '
    + 'would drown in it',
  async () => {
    const { variants, load } = (await leavingOut(prepared, { setting: ['lazyIsolates', 'fewerQueries'], rate: 30 }))
      .experiment
    expect(variants).toEqual([
      { name: 'with-lazyIsolates', values: {} },
      {
        name: 'without-lazyIsolates',
        without: 'lazyIsolates',
        beside: 'with-lazyIsolates',
        values: { tuning: { settings: { lazyIsolates: false } } },
      },
      { name: 'with-fewerQueries', values: {} },
      {
        name: 'without-fewerQueries',
        without: 'fewerQueries',
        beside: 'with-fewerQueries',
        values: { tuning: { patches: { fewerQueries: false } } },
      },
    ])
    expect(load).toMatchObject({ shape: 'constant', rate: 30, timeout: 10 })
  },
)

test('tuning without a name leaves each setting and patch out that changes anything', async () => {
  const names = (await leavingOut(prepared, { setting: [] })).experiment.variants.map(({ name }) => name)
  expect(names).toContain('without-quietSqliteDriver')
  expect(names).not.toContain('without-keepFinishedJobs')
})
