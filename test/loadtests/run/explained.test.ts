import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import type { ProcessProfile } from '../../../loadtests/src/n8n/running.ts'
import { n8n, running } from '../fixtures/running.ts'

const seen: ProcessProfile = {
  elapsed: 15,
  counted: 3,
  cpu: {
    nodes: [{ id: 1, callFrame: { functionName: 'run', url: '/n8n/node_modules/n8n-core/run.js', lineNumber: 9 } }],
    samples: [1],
  },
}

test(
  'a run that is to be explained has one step more in its first repeat, under profile, at the highest '
    + 'rate that held',
  async () => {
    const { records, told, dir } = await running({
      load: { shape: 'search', min: 1, max: 2000, step: 1, precision: 0.2, timeout: 5 },
      repeat: 2,
      capacity: 100,
      profile: async () => async () => seen,
    })
    const held = records.flatMap((record) =>
      record.type === 'step' && record.purpose === 'measure' && record.repeat === 1 && record.cell === 0 && record.holds
        ? [record.load.rate!]
        : [],
    )
    expect(told.filter((type) => type === 'explained' || type === 'visited')).toEqual([
      'explained',
      'visited',
      'explained',
      'visited',
      'visited',
      'visited',
    ])
    expect(records.find(({ type }) => type === 'explained')).toMatchObject({
      cell: 0,
      rate: Math.max(...held),
      processes: [
        { process: n8n.process.name, cpu: 3, functions: [{ name: 'run', where: 'n8n-core/run.js:10', share: 1 }] },
      ],
    })
    expect(summarise(records).results[0]!.explanation).toMatchObject({ rate: Math.max(...held) })
    const file = join(dir, 'profiles', 'n8n-defaults-ping-webhook-0-1', `${n8n.process.name}.cpuprofile`)
    expect(existsSync(file)).toBe(true)
  },
)

test('what cannot be explained is a warning, and no figure is lost', async () => {
  const { records, error } = await running({
    profile: async () => {
      throw new Error('the inspector of process 7 refused')
    },
  })
  expect(error).toBeNull()
  expect(summarise(records)).toMatchObject({
    outcome: 'complete',
    environment: {
      warnings: expect.arrayContaining([
        { code: 'not-explained', cell: 'ping-webhook on tuned', reason: 'the inspector of process 7 refused' },
      ]),
    },
  })
})
