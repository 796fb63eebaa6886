import { tuningsOf, withoutTuning, type Tuning } from '../../../loadtests/src/chart/tunings.ts'

/** With the real chart. */

const names = (tunings: Tuning[]) => tunings.map(({ group, name }) => `${group}.${name}`)

test('of a tier those work that change something in it', async () => {
  const { tier, working, idle } = await tuningsOf({})
  expect(tier).toBe('tuned')
  expect(names(working)).toEqual(['settings.lazyIsolates', 'settings.isolateCompileCache', 'settings.heapFromLimit'])
  expect(names(idle)).toEqual(
    expect.arrayContaining(['settings.databasePool', 'settings.discardSuccess', 'patches.fewerQueries']),
  )
})

test('patches are among those of the tier patched', async () => {
  const { working } = await tuningsOf({ tuning: { tier: 'patched' } })
  expect(names(working)).toEqual(
    expect.arrayContaining(['settings.lazyIsolates', 'settings.noStatistics', 'patches.fewerQueries']),
  )
})

test('an n8n that does not know a setting has nothing to leave out', async () => {
  const { working } = await tuningsOf({ image: { tag: '0.221.2' } })
  expect(names(working)).not.toContain('settings.lazyIsolates')
})

test('nothing works where the tier is n8n’s own', async () => {
  expect((await tuningsOf({ tuning: { tier: 'n8n-defaults' } })).working).toEqual([])
})

test('what is left out is false in its own group', () => {
  expect(withoutTuning({ group: 'patches', name: 'fewerQueries' })).toEqual({
    tuning: { patches: { fewerQueries: false } },
  })
})
