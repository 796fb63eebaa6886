import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { paths, tool } from '../../loadtests/src/lib/paths.ts'

interface Tree {
  [key: string]: unknown
}

const values = parse(readFileSync(join(paths.chart, 'values.yaml'), 'utf8')) as Tree
const isObject = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Those whose names are Kubernetes' own, or the user's. */
const open = new RegExp(
  `\\.(${[
    'requests|limits|startup|readiness|liveness|labels|env',
    'podSecurityContext|securityContext|seccompProfile|capabilities|behavior',
  ].join('|')})$`,
)

function* objectsIn(tree: Tree, path = ''): Generator<string> {
  yield path
  for (const [key, value] of Object.entries(tree))
    if (isObject(value)) yield* objectsIn(value, path ? `${path}.${key}` : key)
}

const withSlips = (tree: Tree): Tree => ({
  ...Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, isObject(value) ? withSlips(value) : value])),
  replicaz: 1,
})

test('a slip in any object of the values is refused at its place, with the names that there are', () => {
  const { stderr } = spawnSync(tool('helm'), ['template', 'n8n', paths.chart, '--values', '-'], {
    input: stringify(withSlips(values)),
    encoding: 'utf8',
  })
  const refused = [...stderr.matchAll(/at '(\S*)\/replicaz': value must be 'under one of these names: \w/g)]
  const places = refused.map(([, place]) => place!.split('/').slice(1).join('.'))
  const closed = [...objectsIn(values)].filter((path) => !open.test(path) && !/^tuning(\.patches)?$/.test(path))
  expect(closed.length).toBeGreaterThan(80)
  expect(closed.filter((path) => !places.includes(path))).toEqual([])
})

test('a slip in tuning is refused by the chart itself, which knows the names of earlier releases', () => {
  const { stderr } = spawnSync(
    tool('helm'),
    ['template', 'n8n', paths.chart, '--set', 'tuning.replicaz=1,tuning.patches.replicaz=true'],
    { encoding: 'utf8' },
  )
  expect(stderr).toContain('tuning.replicaz: Expected')
  expect(stderr).toContain('tuning.patches.replicaz: Expected')
})
