import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../../loadtests/src/lib/make-folder.ts'
import { temporaryFolder, write } from '../../support/temporary.ts'

const folder = temporaryFolder()

test('it and all on the way to it, with their mode', () => {
  makeFolder(join(folder, 'a/b/c'), 0o700)
  makeFolder(join(folder, 'a/b/c'))
  expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true)
})

test('ends where no folder can be made', () => {
  expect(() => makeFolder('/proc/no-such/folder')).toThrow(/ENOENT/)
})

test('says that a file stands there, or on the way', async () => {
  const file = await write(folder, 'file', '')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  expect(() => makeFolder(file)).toThrow(/EEXIST/)
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/)
  expect(() => makeFolder(join(folder, 'link'))).toThrow(/EEXIST/)
})
