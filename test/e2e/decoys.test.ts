import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asValuesFile } from '../../loadtests/src/lib/values.ts'
import { command } from '../support/command.ts'
import { startDecoys, type Decoys } from '../support/decoys.ts'
import { write } from '../support/temporary.ts'

/**
 * Every verb, on the values of an operator whose n8n keeps its data in a PostgreSQL and a Redis of production. Whether
 * it is refused or runs on stores of its own: those two hear nothing. The faults are in
 * test/loadtests/fault/decoys.test.ts.
 */

const folder = mkdtempSync(join(tmpdir(), 'n8n-tuned-e2e-'))
const values = join(folder, 'production.yaml')
const matrix = join(folder, 'matrix.yaml')
let decoys: Decoys
beforeAll(async () => {
  decoys = await startDecoys()
  await write(folder, 'production.yaml', asValuesFile(decoys.values))
  await write(
    folder,
    'matrix.yaml',
    'name: matrix\nquestion: Which one?\nworkflows: [ping-webhook]\nmatrix: { worker.concurrency: [5] }\n'
      + 'load: { shape: constant, rate: 3, duration: 10s }\n',
  )
}, 300_000)
afterAll(async () => {
  await decoys.stop()
  rmSync(folder, { recursive: true })
})

let runs = 0
const out = () => ['--out', join(folder, String(runs++))]
const short = ['--profile', matrix, '--quick']

/** Minutes each. What they reach is decided in the one place that `check` shows: run/plan.ts. */
const measuring: [string, string[]][] = [
  ['compare', ['compare', '--values', values, ...short, '--tag', '2.41.1', '--with', values, ...out()]],
  ['size', ['size', '--values', values, '--profile', matrix, '--quick', ...out()]],
  [
    'tune',
    [
      'tune',
      '--values',
      values,
      '--workflow',
      'ping-webhook',
      '--rate',
      '10',
      '--quick',
      '--repeat',
      '1',
      '--setting',
      'databasePool',
      ...out(),
    ],
  ],
]

test.each<[string, string[]]>([
  ['check', ['check', '--values', values, ...short, ...out()]],
  ...(process.env.EVERY_VERB ? measuring : []),
  ['ecosystem', ['ecosystem', '--values', values, '--out', join(folder, 'ecosystem.config.cjs')]],
  ['convert', ['convert', '--from', 'official', values]],
  ['report', ['report', join(folder, '0')]],
  ['list', ['list']],
  ['learn', ['learn', '--from', 'http://127.0.0.1:1', '--yes', '--out', join(folder, 'learned.yaml')]],
])(
  '%s says nothing to them',
  async (_, words) => {
    const { exit, err } = await command(...words)
    expect(err).not.toContain('This is a defect')
    expect([0, 2, 3, 4]).toContain(exit)
    expect(await decoys.heard()).toEqual([])
  },
  600_000,
)
