import { prepare, type Prepared } from '../../../loadtests/src/cli/prepare.ts'
import { leavingOut } from '../../../loadtests/src/cli/tune.ts'

let prepared: Prepared
beforeAll(async () => {
  prepared = await prepare({ profile: 'tune', target: 'local', metricsUrl: [], values: [], set: {}, workflow: ['ping-webhook'] })
})

test('tuning leaves one setting out at a time, and has n8n’s defaults beside', async () => {
  const { variants, load } = (await leavingOut(prepared, { setting: ['lazyIsolates', 'noStatistics'] })).experiment
  expect(variants).toEqual([
    { name: 'tuned', values: {} },
    { name: 'without-lazyIsolates', without: 'lazyIsolates', values: { tuning: { lazyIsolates: false } } },
    { name: 'without-noStatistics', without: 'noStatistics', values: { tuning: { noStatistics: false } } },
    { name: 'n8n-defaults', values: { tuning: { profile: 'n8n-defaults' } } },
  ])
  expect(load.shape).toBe('search')
})

test('tuning at a rate asks all of them for the same, but not n8n’s defaults, which would drown in it', async () => {
  const { variants, load } = (await leavingOut(prepared, { setting: ['noStatistics'], rate: 60 })).experiment
  expect(variants.map(({ name }) => name)).toEqual(['tuned', 'without-noStatistics'])
  expect(load).toMatchObject({ shape: 'constant', rate: 60, timeout: 10 })
})

test('tuning without a name leaves each setting out that changes anything', async () => {
  const names = (await leavingOut(prepared, { setting: [] })).experiment.variants.map(({ name }) => name)
  expect(names).toContain('without-youngClosures')
  expect(names).not.toContain('without-keepJobs')
})
