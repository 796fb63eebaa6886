import { keepRun, readRun } from '../../../loadtests/evidence/raw.ts'
import { summarise } from '../../../loadtests/src/judge/summarise.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { quickRun } from '../fixtures/runs.ts'

const folder = temporaryFolder()
const summary = JSON.stringify(summarise(quickRun()))

test('reads a run as it was kept', async () => {
  await keepRun(folder, 'quick', summary)
  expect(await readRun(folder, 'quick')).toEqual(JSON.parse(summary))
})

test('reads a run that is not compressed', async () => {
  await write(folder, 'plain.json', summary)
  expect(await readRun(folder, 'plain')).toEqual(JSON.parse(summary))
})

test('knows that a run is not kept', async () => {
  expect(await readRun(folder, 'missing')).toBeNull()
})
