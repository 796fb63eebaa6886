import { readPatches } from '../../../loadtests/src/n8n/metrics.ts'
import { patchesOf } from '../../../loadtests/src/run/patches.ts'
import type { RunningProcess } from '../../../loadtests/src/n8n/running.ts'

const gauge = (...series: string[]) =>
  ['# HELP n8n_tuned_patch The state of each patch.', '# TYPE n8n_tuned_patch gauge', ...series, 'n8n_up 1', ''].join(
    '\n',
  )

test('each patch has a state, and a reason where it was skipped', () => {
  const text = gauge(
    'n8n_tuned_patch{patch="fewerQueries",state="applied"} 1',
    'n8n_tuned_patch{patch="fastIsolates",state="skipped",reason="dist/a.js is not one it was verified on"} 1',
  )
  expect(readPatches(text)).toEqual([
    { patch: 'fewerQueries', state: 'applied', reason: null },
    { patch: 'fastIsolates', state: 'skipped', reason: 'dist/a.js is not one it was verified on' },
  ])
})

test('an n8n without patches says nothing of them', () => {
  expect(readPatches('n8n_up 1\n')).toEqual([])
})

test('processes that say nothing are left out', async () => {
  const process = (name: string, metrics?: RunningProcess['metrics']) => ({ name, metrics }) as RunningProcess
  const told = await patchesOf([
    process('redis-0'),
    process('worker-0', async () => null),
    process('main-0', async () => gauge('n8n_tuned_patch{patch="fewerQueries",state="off"} 1')),
  ])
  expect(told).toEqual([{ process: 'main-0', patches: [{ patch: 'fewerQueries', state: 'off', reason: null }] }])
})
