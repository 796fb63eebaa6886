/**
 * Reads docs, comments and messages as a reader does, and says where they break rules.yaml.
 * usage: node tools/prose/main.ts [FILE…]
 */
import { glob, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import { check, type Rules } from './check.ts'

const root = join(import.meta.dirname, '../..')
const rules: Rules = parse(await readFile(join(import.meta.dirname, 'rules.yaml'), 'utf8'))

const named = process.argv.slice(2)
const files = named.length
  ? named
  : (await Array.fromAsync(glob(rules.files, { cwd: root, exclude: rules.without, withFileTypes: true })))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
for (const file of files.sort()) {
  for (const { line, problem } of check(file, await readFile(join(root, file), 'utf8'), rules)) {
    console.error(`${file}:${line}: ${problem}`)
    process.exitCode = 1
  }
}
