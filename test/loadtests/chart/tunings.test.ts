import { tuningsOf } from '../../../loadtests/src/chart/tunings.ts'

/** With the real chart. */
test('settings are those of the chart that change something with the values at hand', async () => {
  const { working, idle } = await tuningsOf({})
  expect(working).toEqual(expect.arrayContaining(['lazyIsolates', 'derivedHeap', 'noStatistics', 'sharedSyncs']))
  expect(idle).toEqual(expect.arrayContaining(['databasePool', 'groupedWebhooks', 'keepJobs', 'noInsights', 'noPruning', 'rareSyncs']))
  expect([...working, ...idle]).not.toContain('profile')
})

test('an n8n that does not know a setting has nothing to leave out', async () => {
  const { working } = await tuningsOf({ image: { tag: '0.221.2' } })
  expect(working).not.toContain('lazyIsolates')
})

test('nothing works where the profile is n8n’s own', async () => {
  expect((await tuningsOf({ tuning: { profile: 'n8n-defaults' } })).working).toEqual([])
})
