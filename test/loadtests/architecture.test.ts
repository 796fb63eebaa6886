import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../loadtests/src/lib/paths.ts'

/** What CONTRIBUTING.md says of where code is, held. */

const src = join(root, 'loadtests/src')
const files = globSync('**/*.ts', { cwd: src })
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')
const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : '')

const statement = /^(?:import|export) (type )?(?:[^'\n]|\n(?!\n))*?from '(\.[^']+)'/gm
const importsOf = (file: string) =>
  [...textOf(file).matchAll(statement)].map(([, type, path]) => ({
    values: type === undefined,
    path: join(dirname(file), path!),
  }))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

/** The way back to a file that is on the way already; undefined where there is none. */
function circle(file: string, way: string[] = [], done = new Set<string>()): string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
  if (done.has(file)) return undefined
  for (const { path } of imports.get(file) ?? []) {
    const found = circle(path, [...way, file], done)
    if (found) return found
  }
  done.add(file)
  return undefined
}

test('no file imports itself, by whatever way', () => {
  for (const file of files) expect(circle(file) ?? []).toEqual([])
})

test('every file is in a room, but the program', () => {
  expect(files.filter((file) => roomOf(file) === '').sort()).toEqual(['main.ts', 'program.ts'])
})

const levels = ['lib', 'rooms', 'run', 'cli']
const levelOf = (file: string) => levels.indexOf(levels.includes(roomOf(file)) ? roomOf(file) : 'rooms')

test('imports point down: cli, run, rooms, lib', () => {
  const isBelow = (path: string, file: string) => levelOf(path) <= levelOf(file)
  const values = [...imports].flatMap(([file, all]) =>
    all.filter(({ values }) => values).map(({ path }) => ({ file, path })),
  )
  const inRooms = values.filter(({ file, path }) => roomOf(file) && !path.startsWith('..'))
  expect(inRooms.filter(({ file, path }) => !isBelow(path, file))).toEqual([])
})
