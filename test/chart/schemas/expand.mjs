// Writes the compact schemas as kubeconform reads them: a file for each kind, in a folder for each release.
// usage: node expand.mjs FOLDER
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const to = process.argv[2]
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'))) {
  const { roots, definitions } = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
  const folder = join(to, file.replace('.json', ''))
  mkdirSync(folder, { recursive: true })
  for (const [kind, name] of Object.entries(roots)) {
    writeFileSync(
      join(folder, `${kind.toLowerCase()}.json`),
      JSON.stringify({ $ref: `#/definitions/${name}`, definitions }),
    )
  }
}
