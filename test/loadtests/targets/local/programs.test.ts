import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes } from '../../../../loadtests/src/lib/errors.ts'
import { findProgram } from '../../../../loadtests/src/targets/local/programs.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const folder = temporaryFolder()
const image = 'the image redis'

async function program(...parts: string[]): Promise<string> {
  const path = join(folder, ...parts)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, '', { mode: 0o755 })
  return path
}

test('a program on PATH comes before those in the usual folders', async () => {
  const onPath = await program('bin', 'redis-server')
  await program('sbin', 'redis-server')
  expect(
    await findProgram('redis-server', image, `${join(folder, 'none')}:${join(folder, 'bin')}`, [join(folder, 'sbin')]),
  ).toBe(onPath)
})

test('of several versions the newest is taken, by number', async () => {
  await program('pg/9/bin', 'initdb')
  const newest = await program('pg/15/bin', 'initdb')
  expect(await findProgram('initdb', image, '', [join(folder, 'pg/*/bin')])).toBe(newest)
})

test.each([
  ['redis-server', /apt-get install redis-server/],
  ['initdb', /apt-get install postgresql/],
])('a missing %s is told with the way to get it, before anything is measured', async (name, way) => {
  const refusal = await refusalOf(() => findProgram(name, image, '', []))
  expect(refusal).toMatchObject({ code: 'missing-server', exit: exitCodes.usage, hint: expect.stringMatching(way) })
  expect(refusal.message).toContain(`${name} on this machine`)
})
