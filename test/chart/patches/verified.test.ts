import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@jest/globals'
import { paths } from '../../../loadtests/src/lib/paths.ts'
import { runtime } from '../../support/runtime.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
const list = join(paths.chart, 'files/verified-n8n.json')
const tool = resolve(import.meta.dirname, '../../../tools/verified-n8n.cjs')
type Verified = Record<string, { n8n: string[] }>
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Verified
const releases = [...new Set(Object.values(read(list)).flatMap(({ n8n }) => n8n))]

const verify = (release: string, into: string) => {
  cpSync(list, into)
  return execFileSync(process.execPath, [tool, release, runtime(release).folder, into], { encoding: 'utf8' })
}

test.each(releases)('n8n %s holds the sources that the patches were verified on', (release) => {
  const copy = join(folder, `${release}.json`)
  const said = verify(release, copy)
  expect(said).not.toContain('new sources')
  expect(read(copy)).toEqual(read(list))
})

test('says which patches do not fit another release, and leaves them off the list', () => {
  const copy = join(folder, 'other.json')
  expect(verify('0.221.2', copy)).toContain(
    'fewerQueries: does not fit n8n 0.221.2: dist/active-executions.js is missing.',
  )
  expect(read(copy)).toEqual(read(list))
})
