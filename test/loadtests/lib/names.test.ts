import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileName, idOf, kubernetesName, mountPath, pathWithin, slug } from '../../../loadtests/src/lib/names.ts'
import { within } from '../../../loadtests/src/lib/own-tree.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const hostile = [
  '../../victim',
  '/etc/passwd',
  '..',
  '.',
  '',
  'a\0b',
  'a\nb',
  '\x1b]0;x\x07',
  '__proto__',
  '$(id)',
  'x'.repeat(2e5),
]

test('an id stays as n8n made it, and anything else becomes one that n8n takes', () => {
  expect(['12', 'aB3_-x', 'V1StGXR8Z5jdHi6B'].map(idOf)).toEqual(['12', 'aB3_-x', 'V1StGXR8Z5jdHi6B'])
  for (const text of hostile) expect(idOf(text)).toMatch(/^\d{9}$/)
  expect(idOf('../a')).toBe(idOf('../a'))
  expect(idOf('../a')).not.toBe(idOf('../b'))
})

test('a name becomes that of one file, in the folder where it is meant', () => {
  expect(fileName('tuned-ping-webhook-0-1')).toBe('tuned-ping-webhook-0-1')
  for (const text of hostile) expect(fileName(text)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/)
  expect(new Set(hostile.map(fileName)).size).toBe(hostile.length)
  for (const text of hostile) expect(slug(text)).toMatch(/^[a-z0-9-]{1,80}$/)
})

test.each(hostile.filter((text) => text !== '$(id)' && text !== '.'))('no volume may be called %j', (text) => {
  expect(() => kubernetesName(text, 'a volume')).toThrow('Expected the name of a volume to be letters')
})

test('a volume is mounted below the root of its container', () => {
  expect(mountPath('/home/node//.n8n/', 'v')).toBe('/home/node/.n8n')
  for (const path of ['/', '/../x', '/a/../../x', 'a', '', '/a:ro', '/a\0', '/a\nb', `/${'x'.repeat(2e5)}`])
    expect(() => mountPath(path, 'v')).toThrow('Expected the mount path of v to be an absolute path below /')
  expect(pathWithin('dist/a.js', 'v')).toBe('dist/a.js')
  for (const path of ['/a', '../a', 'a/../../b', '..', '', 'a\0'])
    expect(() => pathWithin(path, 'v')).toThrow('Expected a path of v to be a relative path without ".."')
})

const base = temporaryFolder()

test('what the lab removes or makes lies below its folder, also by the links on the way to it', () => {
  const [own, other] = [join(base, 'own'), join(base, 'other')]
  for (const folder of [own, other]) mkdirSync(folder)
  symlinkSync(other, join(own, 'link'))
  expect(within(own, 'a/b/c')).toBe(join(own, 'a/b/c'))
  expect(within(own, 'link')).toBe(join(own, 'link'))
  expect(within(own, 'link/x', [other])).toBe(join(own, 'link/x'))
  for (const name of ['link/x', '../other', '../own-too', 'a/../../other'])
    expect(() => within(own, name)).toThrow('Nothing was changed')
})
