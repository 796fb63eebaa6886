import { mkdirSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../../loadtests/src/lib/errors.ts'
import { until } from '../../../loadtests/src/lib/await.ts'
import { refusalOf } from '../../support/refusal.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'
import { cell, end, run, sample, T0 } from '../fixtures/records.ts'
import type { RunRecord } from '../../../loadtests/src/model/record.ts'
import { openRecorder, readRecords, reopenRecorder } from '../../../loadtests/src/run/record-file.ts'

const folder = temporaryFolder()
const records = [run(), cell(0), sample(0, T0), end()]
const lines = records.map((record) => JSON.stringify(record))
/** Samples are kept together: as they were recorded. */
const oneByOne = (all: RunRecord[]): RunRecord[] =>
  all.flatMap((record) =>
    record.type === 'samples'
      ? [...record.samples].map((one) => ({ type: 'sample' as const, cell: record.cell, ...one }))
      : record,
  )
let parsed = 0
const parse = async (...text: string[]) =>
  readRecords(join(await write(folder, `parsed-${parsed++}/run.ndjson`, text.join('\n')), '..'))

describe('a recorder', () => {
  test('writes down what happens, in its order, for a reader to find again', async () => {
    const recorder = await openRecorder(join(folder, 'new/run'))
    for (const record of records) recorder.add(record)
    await recorder.close()
    expect(oneByOne(recorder.records)).toEqual(records)
    expect(oneByOne(await readRecords(recorder.dir))).toEqual(records)
  })

  test('does not wait for the end of the run: what happened is there whatever ends it', async () => {
    const recorder = await openRecorder(join(folder, 'going-on'))
    recorder.add(records[0]!)
    const written = await until(
      async () => (await readFile(join(recorder.dir, 'run.ndjson'), 'utf8')) === `${lines[0]}\n`,
      { timeout: 5000, every: 5 },
    )
    expect(written).toBe(true)
    await recorder.close()
  })

  test('does not write over another run', async () => {
    const dir = join(folder, 'twice')
    const recorder = await openRecorder(dir)
    recorder.add(records[0]!)
    await recorder.close()
    const refusal = await refusalOf(() => openRecorder(dir))
    expect(refusal.message).toBe(`Expected --out to name a folder without a run, got ${dir}, which holds one.`)
    expect(refusal.exit).toBe(exitCodes.usage)
  })

  test('that recorded nothing leaves nothing in the way of the next run', async () => {
    const dir = join(folder, 'begun-twice')
    await (await openRecorder(dir)).close()
    await (await openRecorder(dir)).close()
    expect(readdirSync(dir)).toEqual([])
  })

  test('says where it cannot write', async () => {
    const file = await write(folder, 'a-file', '')
    const refusal = await refusalOf(() => openRecorder(join(file, 'run')))
    expect(refusal.message).toMatch(
      /^Expected --out to name a folder to write to, got .+a-file\/run: (a path that leads through a file|EEXIST)\.$/,
    )
    expect(refusal.exit).toBe(exitCodes.usage)
  })
})

describe('a run that was stopped', () => {
  const calibration = { type: 'calibration', at: T0, rate: 100, p95: 1 } as const
  const visited = { type: 'visited', at: T0, cell: 0, repeat: 1 } as const
  const stopped = async (name: string, given: object[], cut = '') =>
    join(
      await write(folder, `${name}/run.ndjson`, given.map((record) => `${JSON.stringify(record)}\n`).join('') + cut),
      '..',
    )

  test('goes on behind the last cell that was measured: what was measured by half is forgotten', async () => {
    const dir = await stopped('half', [
      run(),
      calibration,
      cell(0),
      visited,
      cell(1),
      sample(1, T0),
      end('interrupted'),
    ])
    const recorder = await reopenRecorder(dir)
    expect(recorder.records).toEqual([run(), calibration, cell(0), visited])
    recorder.add(cell(1))
    await recorder.close()
    expect(await readRecords(dir)).toEqual([run(), calibration, cell(0), visited, cell(1)])
  })

  test('may have been killed within a line, and before any cell', async () => {
    const recorder = await reopenRecorder(await stopped('killed', [run(), calibration, cell(0)], '{"type":"sam'))
    expect(recorder.records).toEqual([run(), calibration])
    await recorder.close()
  })

  test('that measured nothing has nothing to go on with', async () => {
    expect(await refusalOf(async () => reopenRecorder(await stopped('unmeasured', [run()])))).toMatchObject({
      code: 'not-a-run',
      exit: exitCodes.usage,
    })
  })
})

describe('a record', () => {
  test('is a line', async () => {
    expect(oneByOne(await parse(...lines, ''))).toEqual(records)
  })

  test('may hold a character that other readers take for the end of a line', async () => {
    const warning = { type: 'warning', at: T0, warning: 'one\u2028two' } as const
    expect(await parse(lines[0]!, JSON.stringify(warning), '')).toEqual([run(), warning])
  })

  test('that was being written when the run was killed is left out', async () => {
    expect(await parse(lines[0]!, lines[1]!.slice(0, -20))).toEqual(records.slice(0, 1))
  })

  test('that is damaged in the middle is an error, at its line', async () => {
    const refusal = await refusalOf(() => parse(lines[0]!, lines[1]!.slice(0, -20), lines[2]!, ''))
    expect(refusal.message).toMatch(/run\.ndjson:2: Expected a JSON record, got something else\.$/)
    expect(refusal).toMatchObject({ code: 'damaged-run', exit: exitCodes.usage })
  })
})

describe('a folder', () => {
  test('whose run may not be read says so', async () => {
    const dir = join(folder, 'no-file')
    mkdirSync(join(dir, 'run.ndjson'), { recursive: true })
    expect(await refusalOf(() => readRecords(dir))).toMatchObject({ code: 'unreadable', exit: exitCodes.usage })
  })

  test('without a run is not one', async () => {
    const refusal = await refusalOf(() => readRecords(join(folder, 'nothing')))
    expect(refusal.message).toMatch(/^Expected .+nothing to hold a run\.ndjson, found none\.$/)
    expect(refusal).toMatchObject({ code: 'not-a-run', exit: exitCodes.usage })
  })

  test.each([
    ['nothing was written yet', ''],
    ['not even the first record was', lines[0]!.slice(0, 30)],
    ['the first record is missing', lines.slice(1).join('\n')],
  ])('of a run of which %s holds nothing to report', async (name, text) => {
    const dir = join(folder, name)
    await write(dir, 'run.ndjson', text)
    const refusal = await refusalOf(() => readRecords(dir))
    expect(refusal.message).toMatch(/to hold a run\.ndjson that begins with the run’s own record, got none\.$/)
    expect(refusal).toMatchObject({ code: 'not-a-run', exit: exitCodes.usage })
  })
})
