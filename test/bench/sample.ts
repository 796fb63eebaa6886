/**
 * Draws exported workflows at random from clones of public collections, in equal parts, for `make bench-corpus`.
 * node test/bench/sample.ts SEED COUNT OUT CLONE… [not FOLDER…]: none that is in one of those folders already.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { random as seeded } from '../../loadtests/src/judge/estimate/random.ts'
import { slug } from '../../loadtests/src/lib/names.ts'

const [seed = '', count = '', out = '', ...rest] = process.argv.slice(2)
const cut = rest.indexOf('not')
const clones = cut < 0 ? rest : rest.slice(0, cut)
const known = new Set<string>()

/** The same for a copy in another collection: what its nodes are called, and what they are. */
function likenessOf(text: string): string | null {
  try {
    const { nodes } = JSON.parse(text) as { nodes?: { name?: string; type?: string }[] }
    const parts = nodes?.filter(({ type }) => type && !type.endsWith('.stickyNote'))
    return parts?.length
      ? parts
          .map(({ name, type }) => `${name} ${type}`)
          .sort()
          .join('\n')
      : null
  } catch {
    return null
  }
}

for (const folder of cut < 0 ? [] : rest.slice(cut + 1))
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json')))
    known.add(likenessOf(readFileSync(join(folder, name), 'utf8')) ?? '')

const random = seeded(Number(seed))
mkdirSync(out, { recursive: true })
for (const [index, clone] of clones.entries()) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', resolve(clone), ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const files = git('ls-tree', '-r', '-z', '--name-only', 'HEAD')
    .split('\0')
    .filter((file) => file.endsWith('.json'))
  let left = Math.floor(Number(count) / clones.length) + (index < Number(count) % clones.length ? 1 : 0)
  while (left > 0 && files.length > 0) {
    const [file] = files.splice(Math.floor(random() * files.length), 1)
    const text = git('show', `HEAD:${file}`)
    const likeness = likenessOf(text)
    if (likeness === null || known.has(likeness)) continue
    known.add(likeness)
    left--
    const name = `${slug(basename(file!, '.json')).slice(0, 60)}.json`
    writeFileSync(join(out, `${String.fromCharCode(97 + index)}-${name}`), text)
    console.log(`${git('rev-parse', 'HEAD').trim()} ${file}`)
  }
}
