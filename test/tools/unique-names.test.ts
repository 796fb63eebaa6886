import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'unique-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

const check = () => {
  const args = ['--no-warnings', join(root, 'tools/unique-names.ts'), folder]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stderr }
}

test('both files of a name are named; a schema with its type, and what is not exported, may be called alike', () => {
  writeFileSync(join(folder, 'a.ts'), 'export const Load = 1\nexport type Load = number\nconst own = 1\n')
  writeFileSync(join(folder, 'b.ts'), 'export async function send() {}\nexport const own = 1\n')
  expect(check()).toEqual({ status: 0, stderr: '' })
  writeFileSync(join(folder, 'c.ts'), 'export interface send {}\n')
  const files = `${join(folder, 'b.ts')} and ${join(folder, 'c.ts')}`
  const stderr = `${files} both export send: give one a name of its own, or no export\n`
  expect(check()).toEqual({ status: 1, stderr })
})
